import { buildTable } from '../engine/build-table.ts';
import { type ListTable, openTable } from '../engine/list-table.ts';

type Source = { readonly text: Uint8Array; readonly lines: Uint32Array };

// What the rules of small tables say is kept, unlike that of large lists, which lies in a file.
const sources = new WeakMap<ListTable, Source>();

/** A small table from rules as somebody wrote them; nothing for none. What is wrong in them is left out. */
export function tableFromRules(id: string, rules: readonly string[], secret: Uint8Array): ListTable | undefined {
  if (rules.length === 0) return undefined;
  const text = new TextEncoder().encode(rules.join('\n'));
  const { buffer, lines } = buildTable(text, { secret });
  const table = openTable(id, buffer);
  sources.set(table, { text, lines });
  return table;
}

/** The rule at a slot of a table that was made here, in this thread; nothing for other tables. */
export function ruleOfTable(table: ListTable, slot: number): string | undefined {
  const source = sources.get(table);
  const start = source?.lines[slot];
  if (source === undefined || start === undefined) return undefined;
  const end = source.text.indexOf(0x0a, start);
  return new TextDecoder().decode(source.text.subarray(start, end === -1 ? undefined : end));
}
