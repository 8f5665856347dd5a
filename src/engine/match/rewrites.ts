import type { RecordValue, Rewrite, Rule } from '../../rules/rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import type { Rewritten } from '../verdict.ts';

/** The combined result of a stage's rewrite rules, and the first rule that caused it. */
export type CombinedRewrite<T> = { readonly rewrite: Rewritten; readonly by: T };

type WithRule = { readonly rule: Rule };

const NO_ERROR = 0;

/**
 * Combines all matching rewrite rules of a stage, strongest first, with their exceptions; undefined if none remains. A
 * CNAME wins over a code, a code over records; all records of the queried type are answered.
 */
export function combineRewrites<T extends WithRule>(
  rules: readonly T[],
  name: string,
  type: number,
): CombinedRewrite<T> | undefined {
  const left = withoutExcepted(rules).filter(({ rule }) => !leadsToItself(rule, name));
  for (const match of left) {
    const { rewrite } = match.rule;
    if (rewrite?.kind === 'cname') return { rewrite: { kind: 'cname', target: rewrite.target }, by: match };
  }
  for (const match of left) {
    const { rewrite } = match.rule;
    // NOERROR is not an error code: the answer has the records of the other rules.
    if (rewrite?.kind === 'code' && rewrite.code !== NO_ERROR)
      return { rewrite: { kind: 'code', code: rewrite.code }, by: match };
  }
  const answering = left.filter(({ rule }) => isOfType(rule.rewrite!, type));
  const by = answering[0] ?? left[0];
  const values = answering.flatMap(({ rule }) => recordValues(rule.rewrite!));
  return by && { rewrite: { kind: 'records', type, values }, by };
}

/** A rule that redirects a domain to one of its own names does not apply to that name. */
export const leadsToItself = ({ rewrite }: Rule, name: string): boolean =>
  rewrite?.kind === 'cname' && rewrite.target === name;

const isOfType = (rewrite: Rewrite, type: number): boolean => rewrite.kind === 'record' && rewrite.type === type;

const recordValues = (rewrite: Rewrite): readonly RecordValue[] => (rewrite.kind === 'record' ? [rewrite.value] : []);

/**
 * An exception without a value disables all rewrites, one with a value the equal one; `$important` rules are disabled
 * only by `$important` exceptions.
 */
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
