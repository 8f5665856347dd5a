import type { ErrorResponse } from '../../src/api/wire/errors.ts';

export type FieldProblem = { readonly field: string; readonly message: string };

/** Why something could not be had or done, as a page tells it. */
export type Problem =
  /** The service did not answer at all. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'codeNeeded' }
  | { readonly kind: 'wrongSignIn' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'limit'; readonly message: string }
  | { readonly kind: 'slowDown'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly message: string; readonly fields: readonly FieldProblem[] }
  | { readonly kind: 'fault' };

/** A problem on its way: what asks the service throws it, and what asks for a page's data catches it. */
export class ApiError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export const problemOf = (error: unknown): Problem => (error instanceof ApiError ? error.problem : { kind: 'fault' });

type Told = Partial<Omit<ErrorResponse, 'error_code'>> & { readonly error_code?: string };

const SLOW_DOWN_SECONDS = 5;

/** What an answer that is none means. */
export function problemFrom(status: number, told: Told, retryAfter: string | null): Problem {
  const fields = (told.fields ?? []).map(({ field, message = '' }) => ({ field, message }));
  const message = told.message ?? '';
  switch (status) {
    case 401:
      if (told.error_code === '2fa_required') return { kind: 'codeNeeded' };
      return told.error_code === 'bad_credentials' ? { kind: 'wrongSignIn' } : { kind: 'signedOut' };
    case 403:
      return { kind: 'forbidden' };
    case 404:
      return { kind: 'gone' };
    case 429:
      if (told.error_code === 'FIELD_REACHED_LIMIT') return { kind: 'limit', message };
      return { kind: 'slowDown', seconds: Number(retryAfter) || SLOW_DOWN_SECONDS };
    default:
      return status < 500 ? { kind: 'refused', message, fields } : { kind: 'fault' };
  }
}
