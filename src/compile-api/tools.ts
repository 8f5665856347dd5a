import { diffLists, type ListDiff, type RuleVerdict, type ValidatorName, validateRules } from '../compiler/index.ts';
import type { DiffRequest, ValidateRequest } from './schemas.ts';

/** Jobs on texts of the request, which may have megabytes. */
export type ToolJob =
  | { readonly kind: 'diff'; readonly before: string; readonly after: string }
  | { readonly kind: 'validate'; readonly rules: string; readonly mode: ValidatorName };

/** The response as JSON; also serialised in the worker. */
export type ToolOutcome = { readonly answer: Uint8Array };

/** Joins an array of lines. */
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

const diffAnswer = ({ added, removed, unchanged }: ListDiff): object => ({
  success: true,
  added,
  removed,
  addedCount: added.length,
  removedCount: removed.length,
  unchangedCount: unchanged,
});

function validateAnswer(verdicts: readonly RuleVerdict[]): object {
  const invalidCount = verdicts.filter(({ kind }) => kind === 'invalid').length;
  return { success: true, valid: invalidCount === 0, invalidCount, results: verdicts };
}

const encoder = new TextEncoder();

export const runTool = (job: ToolJob): ToolOutcome => ({ answer: encoder.encode(JSON.stringify(answerOf(job))) });

function answerOf(job: ToolJob): object {
  switch (job.kind) {
    case 'diff':
      return diffAnswer(diffLists(encoder.encode(job.before), encoder.encode(job.after)));
    case 'validate':
      return validateAnswer(validateRules(job.rules, job.mode));
  }
}
