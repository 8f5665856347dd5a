import type { RecordValue } from '../rules/rule.ts';
import type { ComplexRule } from './build/complex-rules.ts';
import type { ListTable } from './list-table.ts';
import type { Source, SourceName } from './sources.ts';

/** The decision for a name. A decider reuses one object for all decisions. */
export type Verdict = {
  kind: 'pass' | 'allow' | 'block' | 'rewrite';
  source: SourceName | undefined;
  list: ListTable | undefined;
  /** Set when the kind is `rewrite`. */
  rewrite: Rewritten | undefined;
  /** The deciding rule: a complex rule, or else the domain rule of a name in a slot. */
  readonly by: { complex: ComplexRule | undefined; slot: number; name: Uint8Array; nameAt: number };
};

export type Rewritten =
  | { readonly kind: 'cname'; readonly target: string }
  | { readonly kind: 'code'; readonly code: number }
  /** All records of the queried type; without any the answer is empty. */
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

export function reportComplex(verdict: Verdict, kind: Verdict['kind'], by: RuleOrigin, rule: ComplexRule): void {
  setVerdict(verdict, kind, by);
  verdict.by.complex = rule;
}

/** The caller sets the name of the rule. */
export function reportDomainRule(verdict: Verdict, kind: Verdict['kind'], by: RuleOrigin, slot: number): void {
  setVerdict(verdict, kind, by);
  const rule = verdict.by;
  if (rule.complex !== undefined) rule.complex = undefined;
  rule.slot = slot;
}

/** Writes only changed fields, because writing a reference costs more than comparing it (GC write barrier). */
function setVerdict(verdict: Verdict, kind: Verdict['kind'], { table, source }: RuleOrigin): void {
  if (verdict.kind !== kind) verdict.kind = kind;
  if (verdict.list !== table) verdict.list = table;
  if (verdict.source !== source.name) verdict.source = source.name;
  if (verdict.rewrite !== undefined) verdict.rewrite = undefined;
}

type RuleOrigin = { readonly table: ListTable; readonly source: Source };

export const createVerdict = (): Verdict => ({
  kind: 'pass',
  source: undefined,
  list: undefined,
  rewrite: undefined,
  by: { complex: undefined, slot: -1, name: nothing, nameAt: 0 },
});
