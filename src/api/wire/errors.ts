import Type, { type Static } from 'typebox';
import { enumeration, object } from './named.ts';

// Do not add codes: clients of version 1.11 reject unknown ones.
const ErrorCodes = enumeration('ErrorCodes', [
  'BAD_REQUEST',
  'FIELD_REQUIRED',
  'FIELD_WRONG_VALUE',
  'FIELD_REACHED_LIMIT',
  'UNKNOWN',
]);
export type ErrorCode = Static<typeof ErrorCodes>;

const FieldError = object('FieldError', 'An invalid field.', {
  error_code: ErrorCodes,
  field: Type.String({ description: 'Path of the field, for example `user_rules_settings.rules[3]`.' }),
  message: Type.Optional(Type.String()),
});

export const ErrorResponse = object('ErrorResponse', 'Error response.', {
  error_code: ErrorCodes,
  fields: Type.Array(FieldError),
  message: Type.Optional(Type.String()),
  error: Type.Optional(
    Type.String({ description: 'Token requests only: the error code of OAuth 2.0 (RFC 6749 section 5.2).' }),
  ),
  error_description: Type.Optional(Type.String({ description: 'Token requests only: the reason as text.' })),
});
export type ErrorResponse = Static<typeof ErrorResponse>;

export const AccessTokenErrorResponse = object('AccessTokenErrorResponse', 'Authentication error.', {
  error: Type.Optional(Type.String()),
  error_code: Type.Optional(Type.String({ description: '`2fa_required` if the two-factor code is missing.' })),
  error_description: Type.Optional(Type.String()),
});
export type AccessTokenErrorResponse = Static<typeof AccessTokenErrorResponse>;
