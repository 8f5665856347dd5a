import type { RecordValue } from '../rules/rule.ts';
import type { ComplexRule } from './build/complex-rules.ts';
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
  readonly by: { complex: ComplexRule | undefined; slot: number; name: Uint8Array; nameAt: number };
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

export function reportComplex(verdict: Verdict, kind: Verdict['kind'], by: Teller, rule: ComplexRule): void {
  tell(verdict, kind, by);
  verdict.by.complex = rule;
}

/** The caller sets the name of the rule. */
export function reportDomainRule(verdict: Verdict, kind: Verdict['kind'], by: Teller, slot: number): void {
  tell(verdict, kind, by);
  const rule = verdict.by;
  if (rule.complex !== undefined) rule.complex = undefined;
  rule.slot = slot;
}

/** What is the same as in the last verdict is left alone: to write a reference costs more than to compare it. */
function tell(verdict: Verdict, kind: Verdict['kind'], { table, source }: Teller): void {
  if (verdict.kind !== kind) verdict.kind = kind;
  if (verdict.list !== table) verdict.list = table;
  if (verdict.source !== source.name) verdict.source = source.name;
  if (verdict.rewrite !== undefined) verdict.rewrite = undefined;
}

type Teller = { readonly table: ListTable; readonly source: Source };

export const createVerdict = (): Verdict => ({
  kind: 'pass',
  source: undefined,
  list: undefined,
  rewrite: undefined,
  by: { complex: undefined, slot: -1, name: nothing, nameAt: 0 },
});
