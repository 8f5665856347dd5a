import { err, ok, type Result } from '../../kit/result.ts';
import { asciiBytesOf } from '../ascii-bytes.ts';
import type { Pattern } from '../rule.ts';
import { errorAt, type RuleError } from '../rule-error.ts';
import { compileRegex, type RegexCode } from './regex-code.ts';
import { regexLiterals } from './regex-literals.ts';
import { regexMatcher } from './regex-matcher.ts';
import { createHolder, createRunner } from './regex-runner.ts';
import { readRegexTree, stepCount } from './regex-tree.ts';

export type Regex = {
  /** For a name in lower case. */
  readonly test: (name: string) => boolean;
  /** A name can match only if it contains one of these; nothing is known when there are none. */
  readonly literals: readonly string[];
  /** By which it is weighed: how many steps it has with its repetitions written out. */
  readonly steps: number;
  /** Compiles the expression on each call. */
  readonly code: () => RegexCode;
};

const MAX_LENGTH = 1000;
const MIN_LITERAL_LENGTH = 3;

/** Reads what stands between the slashes of a rule. Columns of the fault count from the first character between them. */
export function readRegex(source: string): Result<Regex, RuleError> {
  if (source === '') return err(errorAt('nothing stands between the slashes', 0, 0));
  if (source.length > MAX_LENGTH) {
    const reason = `a regular expression has no more than ${MAX_LENGTH} characters: write several rules`;
    return err(errorAt(reason, MAX_LENGTH, source.length - MAX_LENGTH));
  }
  const tree = readRegexTree(source);
  if (!tree.ok) return tree;
  const code = (): RegexCode => compileRegex(tree.value);
  let matches: ((name: string) => boolean) | undefined;
  return ok({
    test: (name) => {
      matches ??= matchText(code());
      return matches(name);
    },
    steps: stepCount(tree.value),
    get literals() {
      return regexLiterals(tree.value);
    },
    code,
  });
}

/** Without a bound on steps: for few texts, on which nothing waits. */
function matchText(code: RegexCode): (text: string) => boolean {
  const matches = regexMatcher(code, createHolder());
  const runner = createRunner();
  return (text) => matches(asciiBytesOf(text), runner);
}

/** The same as the literals of an expression: the longest piece, if it is long enough to be rare. */
export function wildcardLiterals({ pieces }: Extract<Pattern, { kind: 'wildcard' }>): readonly string[] {
  const longest = pieces.reduce((kept, piece) => (piece.length > kept.length ? piece : kept), '');
  return longest.length >= MIN_LITERAL_LENGTH ? [longest] : [];
}
