import { inspect } from 'node:util';
import { SourceError } from '../compiler/sources/source-error.ts';
import { SourceProblem } from '../list-sources/source-error-text.ts';
import { DownloadError } from '../net/download-error.ts';
import type { Checked } from './list-jobs.ts';

const slow: ReadonlySet<string> = new Set(['timeout', 'too slow']);

type Why = Omit<Extract<Checked, { kind: 'failed' }>, 'kind'>;

/** The reason why a list could not be read: a public text, and details for the operator. */
export function readError(error: unknown): Why {
  const causes = causesOf(error);
  const download = causes.find((cause) => cause instanceof DownloadError);
  const status = download?.failure.kind === 'status' ? download.failure : undefined;
  return {
    why: inPublicWords(causes),
    details: messagesOf(causes),
    retryAfterMs: status?.retryAfterMs,
    ...(download && slow.has(download.failure.kind) && { isSlow: true }),
  };
}

/** The messages of a chain of causes, without those already contained in the previous one. */
const messagesOf = (causes: readonly Error[]): string =>
  causes
    .map(({ message }) => message)
    .filter((message, index, all) => index === 0 || !all[index - 1]!.includes(message))
    .join(': ');

function inPublicWords(causes: readonly Error[]): string {
  const problem = causes.find((cause) => cause instanceof SourceProblem);
  if (problem) return problem.message.replace(/^Source (?:failed|not allowed): /, '');
  // Errors in the text of the list: an unclosed condition, circular includes.
  const source = causes.find((cause) => cause instanceof SourceError);
  if (source) return source.message.replace(`${source.source}: `, '');
  return hasNoRoom(causes) ? 'there is no room on the disk to keep it' : 'it could not be made into a table';
}

const hasNoRoom = (causes: readonly Error[]): boolean =>
  causes.some((cause) => 'code' in cause && ['ENOSPC', 'EDQUOT', 'EROFS'].includes(String(cause.code)));

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : error === undefined ? [] : [new Error(inspect(error))];
