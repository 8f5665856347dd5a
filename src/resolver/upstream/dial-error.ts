import { type Failed, type FailureReason, failed } from './upstream-answer.ts';

/** The reason why a connection failed. */
export class DialError extends Error {
  override readonly name = 'DialError';
  readonly why: FailureReason;

  constructor(why: FailureReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.why = why;
  }
}

/** The reason of a `DialError`, or `unreachable` with the system's error. */
export const dialFailure = (error: unknown): Failed =>
  error instanceof DialError ? failed(error.why, error.message) : failed('unreachable', (error as Error).message);
