import { err, ok, type Result } from '../kit/result.ts';
import { expressionLiterals } from './expression-literals.ts';
import { expressionMatcher } from './expression-matcher.ts';
import { readExpressionTree } from './expression-tree.ts';
import { type Letters, lettersOf } from './letters.ts';
import type { Pattern } from './rule.ts';
import { faultAt, type RuleFault } from './rule-fault.ts';

export type Expression = {
  /** For a name in lower case. */
  readonly test: (name: string) => boolean;
  readonly testLetters: (name: Letters) => boolean;
  /** A name can match only if it contains one of these; nothing is known when there are none. */
  readonly literals: readonly string[];
};

const MAX_LENGTH = 1000;
const MIN_LITERAL_LENGTH = 3;

/** Reads what stands between the slashes of a rule. Columns of the fault count from the first character between them. */
export function readExpression(source: string): Result<Expression, RuleFault> {
  if (source === '') return err(faultAt('nothing stands between the slashes', 0, 0));
  if (source.length > MAX_LENGTH) {
    const reason = `a regular expression has no more than ${MAX_LENGTH} characters: write several rules`;
    return err(faultAt(reason, MAX_LENGTH, source.length - MAX_LENGTH));
  }
  const tree = readExpressionTree(source);
  if (!tree.ok) return tree;
  let matcher: ((name: Letters) => boolean) | undefined;
  const testLetters = (name: Letters): boolean => {
    matcher ??= expressionMatcher(tree.value);
    return matcher(name);
  };
  return ok({
    test: (name) => testLetters(lettersOf(name)),
    testLetters,
    literals: expressionLiterals(tree.value),
  });
}

/** The same as the literals of an expression: the longest piece, if it is long enough to be rare. */
export function wildcardLiterals({ pieces }: Extract<Pattern, { kind: 'wildcard' }>): readonly string[] {
  const longest = pieces.reduce((kept, piece) => (piece.length > kept.length ? piece : kept), '');
  return longest.length >= MIN_LITERAL_LENGTH ? [longest] : [];
}
