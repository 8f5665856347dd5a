import type { RecordValue } from '../rules/rule.ts';
import type { FurtherRule } from './further-rules.ts';
import type { ListTable } from './list-table.ts';
import type { Source, SourceName } from './sources.ts';

/** What a name is answered. A decider has one of these and fills it anew with each decision. */
export type Verdict = {
  kind: 'pass' | 'allow' | 'block' | 'rewrite';
  source: SourceName | undefined;
  list: ListTable | undefined;
  /** Set when the kind is `rewrite`. */
  rewrite: Rewritten | undefined;
  /** The rule that decided: one that stands in the table by its text, or else the bare one at a name in a slot. */
  readonly by: { further: FurtherRule | undefined; slot: number; name: Uint8Array; nameAt: number };
};

export type Rewritten =
  | { readonly kind: 'cname'; readonly target: string }
  | { readonly kind: 'code'; readonly code: number }
  /** All records of the type that is asked for; without any the answer is empty. */
  | { readonly kind: 'records'; readonly type: number; readonly values: readonly RecordValue[] };

const nothing = new Uint8Array(1);

export function clearVerdict(verdict: Verdict): Verdict {
  if (verdict.kind === 'pass') return verdict;
  verdict.kind = 'pass';
  verdict.source = undefined;
  verdict.list = undefined;
  verdict.rewrite = undefined;
  return verdict;
}

export function tellFurther(
  verdict: Verdict,
  kind: Verdict['kind'],
  { table, source }: Teller,
  rule: FurtherRule,
): void {
  verdict.kind = kind;
  verdict.source = source.name;
  verdict.list = table;
  verdict.by.further = rule;
}

export function tellBare(
  verdict: Verdict,
  kind: Verdict['kind'],
  { table, source }: Teller,
  slot: number,
  name: Uint8Array,
  nameAt: number,
): void {
  verdict.kind = kind;
  verdict.source = source.name;
  verdict.list = table;
  verdict.by.further = undefined;
  verdict.by.slot = slot;
  verdict.by.name = name;
  verdict.by.nameAt = nameAt;
}

type Teller = { readonly table: ListTable; readonly source: Source };

export const createVerdict = (): Verdict => ({
  kind: 'pass',
  source: undefined,
  list: undefined,
  rewrite: undefined,
  by: { further: undefined, slot: -1, name: nothing, nameAt: 0 },
});
