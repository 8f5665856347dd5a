import Type, { type Static } from 'typebox';
import { int32, object } from './named.ts';

const text = (description: string) => Type.Optional(Type.String({ description, maxLength: 4096 }));

export const AccessTokenCredentials = object('AccessTokenCredentials', 'Token request.', {
  grant_type: text(
    '`password`, `refresh_token` or `authorization_code`. If absent, it is derived from the other fields.',
  ),
  username: text('E-mail address.'),
  password: text('Password.'),
  mfa_token: text('Two-factor code or recovery code; required if two-factor authentication is enabled.'),
  account_id: text('Account to sign in to, if the user belongs to several. Default: the first one.'),
  refresh_token: text('Refresh token.'),
  rotate_refresh_token: text(
    '`true`: each use of the refresh token replaces it; reuse of a replaced token ends the session.',
  ),
  code: text('Authorization code.'),
  client_id: text('Client id that the code was issued to.'),
  redirect_uri: text('Redirect URI that the code was sent to.'),
  code_verifier: text('PKCE code verifier.'),
});
export type AccessTokenCredentials = Static<typeof AccessTokenCredentials>;

export const AccessTokenResponse = object('AccessTokenResponse', 'Tokens.', {
  access_token: Type.Optional(Type.String()),
  expires_in: int32({ description: 'Lifetime of the access token in seconds.' }),
  refresh_token: Type.Optional(
    Type.String({
      description: 'Refresh token; expires after 90 days without use. Differs from the one sent if it rotates.',
    }),
  ),
  token_type: Type.Optional(Type.String({ description: '`bearer`.' })),
});
export type AccessTokenResponse = Static<typeof AccessTokenResponse>;

export const RevokeTokenForm = Type.Object({
  refresh_token: text('The refresh token.'),
  token: text('The refresh token (name of RFC 7009).'),
});
