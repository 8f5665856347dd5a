import { buildTable } from '../../../src/engine/build/build-table.ts';
import { type ListTable, openTable, type ReadLine } from '../../../src/engine/list-table.ts';
import type { Client } from '../../../src/engine/match/conditions.ts';
import { createDecider, type Query } from '../../../src/engine/match/decide.ts';
import { composeProfile, type EngineProfile } from '../../../src/engine/match/profile.ts';
import { ruleText } from '../../../src/engine/rule-text.ts';
import type { SourceName } from '../../../src/engine/sources.ts';
import type { Verdict } from '../../../src/engine/verdict.ts';
import { wireName } from '../../../src/kit/wire-name.ts';
import type { PlainList, PlainSource } from './plain-scan.ts';

export const secret = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const lineReaders = new WeakMap<ListTable, (slot: number) => string>();

export const readLine: ReadLine = (list, slot) => lineReaders.get(list)!(slot);

export function tableFromText({ id, text, answering = false }: PlainList): ListTable {
  const bytes = encoder.encode(text);
  const { buffer, lines } = buildTable(bytes, { secret, answering });
  const table = openTable(id, buffer);
  lineReaders.set(table, (slot) => decoder.decode(bytes.subarray(lines[slot])).split('\n', 1)[0]!.trim());
  return table;
}

export const profileFromText = (sources: readonly PlainSource[]): EngineProfile =>
  composeProfile(sources.map(({ source, lists }) => ({ source, tables: lists.map(tableFromText) })));

export const nameOf = (text: string): Uint8Array => wireName(text)!;

/** Lines of rules by their source; a source may have several lists. */
export type Rules = Partial<Record<SourceName, string | readonly string[]>>;

export const profileOf = (rules: Rules): EngineProfile =>
  profileFromText(
    Object.entries(rules).map(([source, lists]) => ({
      source: source as SourceName,
      lists: [lists].flat().map((text, nth) => ({ id: `${source} ${nth + 1}`, text })),
    })),
  );

export type Asked = { readonly name: string; readonly type?: number; readonly client?: Client };

export const queryFor = ({ name, type = 1, client }: Asked): Query => ({ name: nameOf(name), at: 0, type, client });

export const decider = createDecider(secret);

/** The verdict as text: `block ||a.com^`, `rewrite …`, `pass`. */
export function decided(rules: Rules, asked: string | Asked): string {
  return inWords(decider.decide(queryFor(typeof asked === 'string' ? { name: asked } : asked), profileOf(rules)));
}

export const inWords = (verdict: Verdict): string =>
  [verdict.kind, ruleText(verdict, readLine)].filter((word) => word !== undefined).join(' ');
