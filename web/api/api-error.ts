import type { ErrorResponse } from '../../src/api/wire/errors.ts';

export type FieldError = { readonly field: string; readonly message: string };

/** Reason why a request failed, in a form that pages can translate. */
export type Problem =
  /** No response: network error or service down. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'codeNeeded' }
  | { readonly kind: 'wrongSignIn' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'limit'; readonly message: string }
  | { readonly kind: 'slowDown'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly message: string; readonly fields: readonly FieldError[] }
  /** The change is stored, but the resolver does not use it yet. */
  | { readonly kind: 'notApplied' }
  | { readonly kind: 'fault' };

/** Thrown by `request` for every response that is not successful. */
export class ApiError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export const problemOf = (error: unknown): Problem => (error instanceof ApiError ? error.problem : { kind: 'fault' });

type ErrorBody = Partial<Omit<ErrorResponse, 'error_code'>> & { readonly error_code?: string };

const SLOW_DOWN_SECONDS = 5;

/** Maps an error response to a problem. */
export function problemFrom(status: number, body: ErrorBody, retryAfter: string | null): Problem {
  const fields = (body.fields ?? []).map(({ field, message = '' }) => ({ field, message }));
  const message = body.message ?? '';
  switch (status) {
    case 401:
      if (body.error_code === '2fa_required') return { kind: 'codeNeeded' };
      return body.error_code === 'bad_credentials' ? { kind: 'wrongSignIn' } : { kind: 'signedOut' };
    case 403:
      return { kind: 'forbidden' };
    case 404:
      return { kind: 'gone' };
    case 429:
      if (body.error_code === 'FIELD_REACHED_LIMIT') return { kind: 'limit', message };
      return { kind: 'slowDown', seconds: Number(retryAfter) || SLOW_DOWN_SECONDS };
    case 503:
      // Only an unavailable database says when to retry.
      return retryAfter === null && body.message !== undefined ? { kind: 'notApplied' } : { kind: 'fault' };
    default:
      return status < 500 ? { kind: 'refused', message, fields } : { kind: 'fault' };
  }
}
