import type { FieldError } from './operations.ts';

/** A request that failed. `status` is 0 without a complete response; `cause` then has the reason. */
export class WeirError extends Error {
  override readonly name = 'WeirError';
  readonly status: number;
  /** For example `FIELD_WRONG_VALUE`, `2fa_required`. */
  readonly code: string | undefined;
  readonly fields: readonly FieldError[];
  /** Log entries of the server have the same id. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The message of the server, if it sent one. */
  readonly reason: string | undefined;

  constructor(operation: string, answer: FailedAnswer, options?: ErrorOptions) {
    const { status, body = {}, requestId, retryAfterSeconds } = answer;
    const reason = body.message ?? body.error_description;
    const fields = body.fields ?? [];
    const details = fields.map(({ field, message = '' }) => `${field}: ${message}`).join('; ');
    super(
      [`${operation}: ${status === 0 ? 'no complete response' : status}`, reason, details].filter(Boolean).join(', '),
      options,
    );
    this.status = status;
    this.code = body.error_code;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = reason;
  }
}

type FailedAnswer = {
  readonly status: number;
  readonly body?: ErrorBody;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
};

/** Errors of requests and of authentication have different members. */
export type ErrorBody = {
  readonly error_code?: string;
  readonly message?: string;
  readonly error_description?: string;
  readonly fields?: readonly FieldError[];
};
