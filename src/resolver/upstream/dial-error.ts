import { type Failed, type FailureReason, failed } from './upstream-answer.ts';

/** Why there is no connection, in a word of ours. */
export class DialError extends Error {
  override readonly name = 'DialError';
  readonly why: FailureReason;

  constructor(why: FailureReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.why = why;
  }
}

/** Dialling fails with a reason of ours, or one of the system's. */
export const dialFailure = (error: unknown): Failed =>
  error instanceof DialError ? failed(error.why, error.message) : failed('unreachable', (error as Error).message);
