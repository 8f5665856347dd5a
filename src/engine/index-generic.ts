import { readExpression } from '../rules/expression.ts';
import type { Rule } from '../rules/rule.ts';
import { countGrams, gramsOf } from './grams.ts';

export type GramEntry = readonly [gram: number, number: number];

/** The grams of rules that cannot be looked up by a name, sorted; rules are numbered from `first`. */
export function indexGeneric(rules: readonly Rule[], first: number, text: Uint8Array): readonly GramEntry[] {
  if (rules.length === 0) return [];
  const counts = countGrams(text);
  return rules
    .flatMap((rule, nth) => gramsOf(alternativesOf(rule), counts).map((gram): GramEntry => [gram, first + nth]))
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

/** Texts that stand in every name which a rule matches: all those of one of the lists. */
function alternativesOf({ pattern }: Rule): readonly (readonly string[])[] {
  if (pattern.kind === 'wildcard') return [pattern.pieces];
  const expression = pattern.kind === 'expression' ? readExpression(pattern.source) : undefined;
  return expression?.ok ? expression.value.literals.map((literal) => [literal]) : [];
}
