import { err, ok, type Result } from '../../kit/result.ts';
import { asciiBytesOf } from '../ascii-bytes.ts';
import { errorAt, type RuleError } from '../rule-error.ts';
import { compileRegex, type RegexCode } from './regex-code.ts';
import { regexLiterals } from './regex-literals.ts';
import { regexMatcher } from './regex-matcher.ts';
import { createHolder, createRunner } from './regex-runner.ts';
import { readRegexTree, stepCount } from './regex-tree.ts';

export type Regex = {
  /** `name` is in lower case. */
  readonly test: (name: string) => boolean;
  /** A name can match only if it contains one of these; empty if unknown. */
  readonly literals: readonly string[];
  /** Cost of the expression: program steps with unrolled repetitions. */
  readonly steps: number;
  /** Compiles the expression on each call. */
  readonly code: () => RegexCode;
};

const MAX_LENGTH = 1000;

/** Parses the text between the slashes of a rule. Error columns count from the first character between them. */
export function readRegex(source: string): Result<Regex, RuleError> {
  if (source === '') return err(errorAt('the regular expression is empty', 0, 0));
  if (source.length > MAX_LENGTH) {
    const reason = `a regular expression can have at most ${MAX_LENGTH} characters: write several rules`;
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

/** Without a limit on steps: for a few texts outside the query path. */
function matchText(code: RegexCode): (text: string) => boolean {
  const matches = regexMatcher(code, createHolder());
  const runner = createRunner();
  return (text) => matches(asciiBytesOf(text), runner);
}
