import type { FieldFault, LimitKind, Problem } from '../domain/domain-error.ts';
import type { Taken } from './store-deps.ts';
import type { AccessTokenErrorResponse, ErrorCode, ErrorResponse } from './wire/errors.ts';

/** Why a request is not granted: what the domain says, and what the door itself finds wrong. */
export type Refusal =
  | Problem
  | Taken
  | { readonly kind: 'bad request'; readonly message: string }
  | { readonly kind: 'wrong content type'; readonly wanted: string }
  | { readonly kind: 'unauthorized'; readonly why: Unauthorized }
  | { readonly kind: 'slow down'; readonly retryAfterSeconds: number }
  | { readonly kind: 'wrong method'; readonly allowed: readonly string[] }
  | { readonly kind: 'too large' }
  /** The store cannot do it now: it is locked, full or away. */
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number }
  | { readonly kind: 'fault' };

export type Unauthorized = keyof typeof unauthorizedWords;

type Answered = {
  readonly status: number;
  readonly body: ErrorResponse | AccessTokenErrorResponse;
  readonly headers: Readonly<Record<string, string>>;
};

/** The one place where a refusal becomes a status and a body. */
export function answerOf(refusal: Refusal): Answered {
  switch (refusal.kind) {
    case 'invalid':
      return refused(400, 'BAD_REQUEST', 'Validation failed', refusal.faults);
    case 'bad request':
      return refused(400, 'BAD_REQUEST', refusal.message);
    case 'unauthorized':
      return unauthorized(refusal.why);
    case 'forbidden':
      return refused(403, 'UNKNOWN', refusal.why);
    case 'not found':
      // The same for what is not there and for what is another's.
      return refused(404, 'UNKNOWN', `${capital(refusal.what)} not found`);
    case 'wrong method':
      return refused(405, 'BAD_REQUEST', 'This path does not know this method', [], {
        allow: refusal.allowed.join(', '),
      });
    case 'too large':
      return refused(413, 'BAD_REQUEST', 'The body is larger than the limit');
    case 'wrong content type':
      return refused(415, 'BAD_REQUEST', `Send the body as ${refusal.wanted}`);
    case 'limit reached':
      return refused(429, 'FIELD_REACHED_LIMIT', `No more than ${refusal.limit} ${limitWords[refusal.what]}`);
    case 'slow down':
      return refused(429, 'UNKNOWN', 'Too many attempts; try again later', [], {
        'retry-after': String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))),
      });
    case 'taken':
      return refusal.what === 'email'
        ? refused(400, 'BAD_REQUEST', 'Validation failed', [emailTaken])
        : answerOf({ kind: 'fault' });
    case 'unavailable':
      return refused(503, 'UNKNOWN', 'The database cannot be used at the moment; try again later', [], {
        'retry-after': String(refusal.retryAfterSeconds),
      });
    case 'fault':
      return refused(500, 'UNKNOWN', 'Internal error');
  }
}

const emailTaken: FieldFault = {
  field: 'email',
  kind: 'wrong value',
  message: 'cannot be used: choose another address',
};

const limitWords: Readonly<Record<LimitKind | 'customLists', string>> = {
  devices: 'devices',
  dnsServers: 'DNS servers',
  userRules: 'user rules',
  accessRules: 'access rules',
  customLists: 'custom lists',
  dedicatedIpv4: 'dedicated IPv4 addresses',
  requests: 'requests a month',
};

const faultCodes: Readonly<Record<FieldFault['kind'], ErrorCode>> = {
  required: 'FIELD_REQUIRED',
  'wrong value': 'FIELD_WRONG_VALUE',
  'limit reached': 'FIELD_REACHED_LIMIT',
};

const refused = (
  status: number,
  code: ErrorCode,
  message: string,
  faults: readonly FieldFault[] = [],
  headers: Readonly<Record<string, string>> = {},
): Answered => ({
  status,
  body: {
    error_code: code,
    fields: faults.map(({ field, kind, message: text }) => ({ error_code: faultCodes[kind], field, message: text })),
    message,
  },
  headers,
});

const unauthorizedWords = {
  'no credentials': ['unauthorized', 'An API key or an access token is required'],
  'wrong credentials': ['unauthorized', 'The API key or access token is not valid'],
  'wrong sign-in': ['bad_credentials', 'The e-mail address, password or code is wrong'],
  '2fa required': ['2fa_required', '2FA is required'],
  'wrong refresh token': ['invalid_refresh_token', 'The refresh token is not valid'],
  'wrong code': ['invalid_grant', 'The code is not valid'],
} as const;

function unauthorized(why: Unauthorized): Answered {
  const [error_code, error_description] = unauthorizedWords[why];
  return {
    status: 401,
    body: { error: 'unauthorized', error_code, error_description },
    headers: { 'www-authenticate': 'Bearer realm="weir", ApiKey realm="weir"' },
  };
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
