import { MAX_TEMPORARY_EXPRESSION_STEPS } from '../../domain/account-limits.ts';
import { type BuiltTable, buildTable } from '../../engine/build/build-table.ts';
import { type ListTable, openTable } from '../../engine/list-table.ts';

type Source = { readonly text: Uint8Array; readonly lines: Uint32Array };

// Rule texts of small tables are in memory; those of large lists are in files.
const sources = new WeakMap<ListTable, Source>();

/** A table that another thread has built from rules: plain data and shared memory. */
export type RuleTable = Pick<BuiltTable, 'buffer' | 'lines'>;

/** Cache of built tables, by the array of their rules. */
export type RuleTables = Pick<WeakMap<readonly string[], RuleTable>, 'get'>;

const textOf = (rules: readonly string[]): Uint8Array => new TextEncoder().encode(rules.join('\n'));

export function buildRuleTable(rules: readonly string[], secret: Uint8Array, maxExpressionSteps?: number): RuleTable {
  const { buffer, lines } = buildTable(textOf(rules), {
    secret,
    ...(maxExpressionSteps !== undefined && { maxExpressionSteps }),
  });
  return { buffer, lines };
}

/**
 * Builds a small table from rules; undefined without rules. Invalid rules are skipped, and so are temporary rules with
 * expressions beyond the limit, if the table is built here.
 */
export function tableFromRules(
  id: string,
  rules: readonly string[],
  secret: Uint8Array,
  { tables, account }: { readonly tables?: RuleTables | undefined; readonly account?: string | undefined } = {},
): ListTable | undefined {
  if (rules.length === 0) return undefined;
  const { buffer, lines } = tables?.get(rules) ?? buildRuleTable(rules, secret, MAX_TEMPORARY_EXPRESSION_STEPS);
  const table = openTable(id, buffer, account);
  sources.set(table, { text: textOf(rules), lines });
  return table;
}

/** The rule of a slot if this thread built the table; undefined for other tables. */
export function ruleOfTable(table: ListTable, slot: number): string | undefined {
  const source = sources.get(table);
  const start = source?.lines[slot];
  if (source === undefined || start === undefined) return undefined;
  const end = source.text.indexOf(0x0a, start);
  return new TextDecoder().decode(source.text.subarray(start, end === -1 ? undefined : end));
}
