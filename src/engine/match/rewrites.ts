import type { RecordValue, Rewrite, Rule } from '../../rules/rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import type { Rewritten } from '../verdict.ts';

/** What the rewriting rules of one pool say together, and the rule that said it first. */
export type Settled<T> = { readonly rewrite: Rewritten; readonly by: T };

type WithRule = { readonly rule: Rule };

const NO_ERROR = 0;

/**
 * Takes all rewriting rules of a pool that match, the strongest first, with their exceptions; undefined when nothing is
 * left of them. A CNAME comes first, then a code, then records, of which all of the asked type are answered.
 */
export function settleRewrites<T extends WithRule>(
  rules: readonly T[],
  name: string,
  type: number,
): Settled<T> | undefined {
  const left = withoutExcepted(rules).filter(({ rule }) => !leadsToItself(rule, name));
  for (const each of left) {
    const { rewrite } = each.rule;
    if (rewrite?.kind === 'cname') return { rewrite: { kind: 'cname', target: rewrite.target }, by: each };
  }
  for (const each of left) {
    const { rewrite } = each.rule;
    // NOERROR refuses nothing: it answers with what records there are.
    if (rewrite?.kind === 'code' && rewrite.code !== NO_ERROR)
      return { rewrite: { kind: 'code', code: rewrite.code }, by: each };
  }
  const answering = left.filter(({ rule }) => isOfType(rule.rewrite!, type));
  const by = answering[0] ?? left[0];
  const values = answering.flatMap(({ rule }) => recordValues(rule.rewrite!));
  return by && { rewrite: { kind: 'records', type, values }, by };
}

/** A rule that sends a whole domain to one of its names leaves that name alone. */
export const leadsToItself = ({ rewrite }: Rule, name: string): boolean =>
  rewrite?.kind === 'cname' && rewrite.target === name;

const isOfType = (rewrite: Rewrite, type: number): boolean => rewrite.kind === 'record' && rewrite.type === type;

const recordValues = (rewrite: Rewrite): readonly RecordValue[] => (rewrite.kind === 'record' ? [rewrite.value] : []);

/** An exception without a value switches off all rewrites, one with a value the same; only emphasis beats emphasis. */
export function withoutExcepted<T extends WithRule>(rules: readonly T[]): readonly T[] {
  const exceptions = rules.filter(({ rule }) => rule.allow).map(({ rule }) => rule);
  const rewrites = rules.filter(({ rule }) => !rule.allow);
  if (exceptions.length === 0) return rewrites;
  const byAll = new Set(exceptions.map(rewriteKey));
  const byImportant = new Set(exceptions.filter(({ important }) => important).map(rewriteKey));
  return rewrites.filter(({ rule }) => {
    const off = rule.important ? byImportant : byAll;
    return !off.has(ANY) && !off.has(rewriteKey(rule));
  });
}

const ANY = 'any';

const rewriteKey = ({ rewrite }: Rule): string =>
  rewrite?.kind === 'any' ? ANY : ruleKey({ ...nobodysRule, rewrite: rewrite! });

const nobodysRule: Rule = { allow: false, important: false, badfilter: false, pattern: { kind: 'exact', name: '' } };
