import type { ListDiff, RuleVerdict, ValidatorName } from '../compiler/index.ts';
import type { DiffRequest, ValidateRequest } from './schemas.ts';

/** Work on texts that came with the request: quick for most, but some bring megabytes. */
export type ToolJob =
  | { readonly kind: 'diff'; readonly before: string; readonly after: string }
  | { readonly kind: 'validate'; readonly rules: string; readonly mode: ValidatorName };

/** The answer as JSON: to make it of megabytes is work, too. */
export type ToolOutcome = { readonly answer: Uint8Array };

/** An array of lines is the text they make; line breaks within one would be lines of their own anyway. */
const textOf = (list: string | readonly string[]): string => (typeof list === 'string' ? list : list.join('\n'));

export const diffJob = ({ before, after }: DiffRequest): ToolJob => ({
  kind: 'diff',
  before: textOf(before),
  after: textOf(after),
});

export const validateJob = ({ rules, mode = 'Validate' }: ValidateRequest): ToolJob => ({
  kind: 'validate',
  rules: textOf(rules),
  mode: mode as ValidatorName,
});

export const diffAnswer = ({ added, removed, unchanged }: ListDiff): object => ({
  success: true,
  added,
  removed,
  addedCount: added.length,
  removedCount: removed.length,
  unchangedCount: unchanged,
});

export function validateAnswer(verdicts: readonly RuleVerdict[]): object {
  const invalidCount = verdicts.filter(({ kind }) => kind === 'invalid').length;
  return { success: true, valid: invalidCount === 0, invalidCount, results: verdicts };
}
