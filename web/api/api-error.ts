import type { WeirError } from '../../src/client/weir-error.ts';

export type FieldError = { readonly field: string; readonly message: string };

/** Reason why a request failed, in a form that pages can translate. */
export type Problem =
  /** No response: network error or service down. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'codeNeeded' }
  | { readonly kind: 'wrongSignIn' }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'gone' }
  /** The resource was changed since it was read. */
  | { readonly kind: 'changed' }
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

const SLOW_DOWN_SECONDS = 5;

/** Maps a failed request to a problem. */
export function problemFrom(error: WeirError): Problem {
  const { status, code, reason, retryAfterSeconds } = error;
  const message = reason ?? '';
  switch (status) {
    case 0:
      return { kind: 'unreachable' };
    case 401:
      if (code === '2fa_required') return { kind: 'codeNeeded' };
      return code === 'bad_credentials' ? { kind: 'wrongSignIn' } : { kind: 'signedOut' };
    case 403:
      return { kind: 'forbidden', message };
    case 404:
      return { kind: 'gone' };
    case 412:
      return { kind: 'changed' };
    case 429:
      if (code === 'FIELD_REACHED_LIMIT') return { kind: 'limit', message };
      return { kind: 'slowDown', seconds: retryAfterSeconds || SLOW_DOWN_SECONDS };
    case 503:
      // Only the management API has error codes: the service is stopping, or a proxy has no service.
      if (code === undefined) return { kind: 'unreachable' };
      // Only an unavailable database says when to retry.
      return retryAfterSeconds === undefined && reason !== undefined ? { kind: 'notApplied' } : { kind: 'fault' };
    default: {
      const fields = error.fields.map(({ field, message: text = '' }) => ({ field, message: text }));
      return status < 500 ? { kind: 'refused', message, fields } : { kind: 'fault' };
    }
  }
}
