import type { DomainError, FieldError, LimitKind, OtherLimit } from '../domain/domain-error.ts';
import { type Conflict, StorageError, StoreError, TooBusy } from '../domain/store-error.ts';
import type { AccessTokenErrorResponse, ErrorCode, ErrorResponse } from './wire/errors.ts';

const TOO_BUSY_SECONDS = 2;
const UNAVAILABLE_SECONDS = 5;

/** Error of a request: a domain error, or an error of the HTTP interface. */
export type ApiError =
  | DomainError
  | Conflict
  | { readonly kind: 'bad request'; readonly message: string }
  | { readonly kind: 'wrong content type'; readonly wanted: string }
  | { readonly kind: 'unauthorized'; readonly why: Unauthorized }
  | { readonly kind: 'slow down'; readonly retryAfterSeconds: number }
  /** The headers say when the next one is allowed. */
  | { readonly kind: 'too many requests' }
  | { readonly kind: 'wrong method'; readonly allowed: readonly string[] }
  | { readonly kind: 'too large' }
  /** If-Match does not match the ETag of the resource; `current` is undefined if the resource has none. */
  | { readonly kind: 'precondition failed'; readonly current: string | undefined }
  /** The idempotency key was used for a request with another path or body. */
  | { readonly kind: 'key of another request' }
  /** The request with this idempotency key was executed, but its reply was not stored. */
  | { readonly kind: 'executed before' }
  /** The store or the query log is locked, full or unreachable. */
  | { readonly kind: 'unavailable'; readonly part: StorageError['part']; readonly retryAfterSeconds: number }
  /** The change is stored, but the resolver does not use it yet. */
  | { readonly kind: 'not applied' }
  | { readonly kind: 'fault' };

export type Unauthorized = keyof typeof unauthorizedMessages;

type ErrorReply = {
  readonly status: number;
  readonly body: ErrorResponse | AccessTokenErrorResponse;
  readonly headers: Readonly<Record<string, string>>;
};

/** Maps an error to a status and a body. This is the only place where that is done. */
export function toResponse(error: ApiError): ErrorReply {
  switch (error.kind) {
    case 'invalid':
      return errorReply(400, 'BAD_REQUEST', 'Validation failed', error.errors);
    case 'bad request':
      return errorReply(400, 'BAD_REQUEST', error.message);
    case 'not offered':
      return errorReply(400, 'BAD_REQUEST', notOffered[error.protocol]);
    case 'unauthorized':
      return unauthorized(error.why);
    case 'forbidden':
      return errorReply(403, 'UNKNOWN', error.why);
    case 'not found':
      // The same for resources that do not exist and for those of other accounts.
      return errorReply(404, 'UNKNOWN', `${capitalized(error.what)} not found`);
    case 'wrong method':
      return errorReply(405, 'BAD_REQUEST', 'Method not allowed', [], {
        allow: error.allowed.join(', '),
      });
    case 'executed before':
      return errorReply(
        409,
        'UNKNOWN',
        'The request with this Idempotency-Key was executed before; its response was not stored, because it is long or contains a secret',
      );
    case 'precondition failed':
      return error.current === undefined
        ? errorReply(412, 'UNKNOWN', 'This operation has no ETag: send it without If-Match')
        : errorReply(412, 'UNKNOWN', 'The resource was changed since it was read: read it again', [], {
            etag: error.current,
          });
    case 'too large':
      return errorReply(413, 'BAD_REQUEST', 'The body is larger than the limit');
    case 'wrong content type':
      return errorReply(415, 'BAD_REQUEST', `Send the body as ${error.wanted}`);
    case 'key of another request':
      return errorReply(422, 'BAD_REQUEST', 'The Idempotency-Key was used for another request: send a new key');
    case 'limit reached':
      return errorReply(429, 'FIELD_REACHED_LIMIT', `No more than ${error.limit} ${limitNames[error.what]}`);
    case 'too many requests':
      return errorReply(429, 'UNKNOWN', 'Too many requests; try again later');
    case 'slow down':
      return errorReply(429, 'UNKNOWN', 'Too many attempts; try again later', [], {
        'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))),
      });
    case 'conflict':
      return error.what === 'email'
        ? errorReply(400, 'BAD_REQUEST', 'Validation failed', [emailTaken])
        : toResponse({ kind: 'fault' });
    case 'unavailable':
      return errorReply(503, 'UNKNOWN', `The ${error.part} is unavailable; try again later`, [], {
        'retry-after': String(error.retryAfterSeconds),
      });
    case 'not applied':
      return errorReply(
        503,
        'UNKNOWN',
        'The change is stored, but DNS does not use it yet. It is applied automatically: do not repeat the request',
      );
    case 'fault':
      return errorReply(500, 'UNKNOWN', 'Internal error');
  }
}

/** An error of a token request: OAuth libraries read `error` and `error_description` (RFC 6749 section 5.2). */
export function toTokenResponse(error: ApiError): ErrorReply {
  const { status, body, headers } = toResponse(error);
  if (!('fields' in body)) return { status, body, headers };
  const [first] = body.fields;
  const description = first ? `${first.field}: ${first.message ?? body.message ?? ''}` : (body.message ?? '');
  return { status, body: { ...body, error: oauthError(error, status), error_description: description }, headers };
}

function oauthError(error: ApiError, status: number): string {
  if (error.kind === 'invalid' && error.errors.some(({ field }) => field === 'grant_type'))
    return 'unsupported_grant_type';
  return oauthErrors[status] ?? 'invalid_request';
}

// RFC 6749 defines a code for 429 and 503 only in section 4.1.2.1.
const oauthErrors: Readonly<Record<number, string>> = {
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

const notOffered = {
  DOH: 'The profile needs DNS over HTTPS and a host name of this server (settings doh and dns-host) with a certificate that devices trust',
  DOT: 'The profile needs DNS over TLS on port 853 and a host name of this server (settings dot, dns-host and device-domain) with a certificate that devices trust',
} as const;

/** The error of a request whose handler has thrown. `statusCode` and `message` are those of the HTTP framework. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof StoreError && error.kind === 'not applied') return { kind: 'not applied' };
  if (error instanceof StorageError && error.isTemporary)
    return { kind: 'unavailable', part: error.part, retryAfterSeconds: UNAVAILABLE_SECONDS };
  if (error instanceof TooBusy) return { kind: 'slow down', retryAfterSeconds: TOO_BUSY_SECONDS };
  const { statusCode, message } = error as { readonly statusCode?: number; readonly message: string };
  if (statusCode === 413) return { kind: 'too large' };
  return statusCode !== undefined && statusCode < 500 ? { kind: 'bad request', message } : { kind: 'fault' };
}

const emailTaken: FieldError = {
  field: 'email',
  kind: 'wrong value',
  message: 'cannot be used: choose another address',
};

const limitNames: Readonly<Record<LimitKind | OtherLimit, string>> = {
  devices: 'devices',
  dnsServers: 'DNS servers',
  userRules: 'user rules',
  accessRules: 'access rules',
  customLists: 'custom lists',
  localRecords: 'local records',
  forwardRules: 'forwarding rules',
  dedicatedIpv4: 'dedicated IPv4 addresses',
  requests: 'requests a month',
};

const fieldErrorCodes: Readonly<Record<FieldError['kind'], ErrorCode>> = {
  required: 'FIELD_REQUIRED',
  'wrong value': 'FIELD_WRONG_VALUE',
  'limit reached': 'FIELD_REACHED_LIMIT',
};

const errorReply = (
  status: number,
  code: ErrorCode,
  message: string,
  errors: readonly FieldError[] = [],
  headers: Readonly<Record<string, string>> = {},
): ErrorReply => ({
  status,
  body: {
    error_code: code,
    fields: errors.map(({ field, kind, message: text }) => ({
      error_code: fieldErrorCodes[kind],
      field,
      message: text,
    })),
    message,
  },
  headers,
});

const unauthorizedMessages = {
  'no credentials': ['unauthorized', 'An API key or an access token is required'],
  'wrong credentials': ['unauthorized', 'The API key or access token is not valid'],
  'wrong sign-in': ['bad_credentials', 'The e-mail address, password or code is wrong'],
  '2fa required': ['2fa_required', '2FA is required'],
  'wrong refresh token': ['invalid_refresh_token', 'The refresh token is not valid'],
  'wrong code': ['invalid_grant', 'The code is not valid'],
} as const;

function unauthorized(why: Unauthorized): ErrorReply {
  const [error_code, error_description] = unauthorizedMessages[why];
  return {
    status: 401,
    body: { error: 'unauthorized', error_code, error_description },
    headers: { 'www-authenticate': 'Bearer realm="weir", ApiKey realm="weir"' },
  };
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
