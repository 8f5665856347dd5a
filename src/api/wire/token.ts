import Type, { type Static } from 'typebox';
import { int32, object } from './named.ts';

const text = (description: string) => Type.Optional(Type.String({ description, maxLength: 4096 }));

export const AccessTokenCredentials = object('AccessTokenCredentials', 'What is given for tokens.', {
  grant_type: text(
    '`password`, `refresh_token` or `authorization_code`. Without it, what else is given tells which one is meant.',
  ),
  username: text('E-mail address.'),
  password: text('Password.'),
  mfa_token: text('Code of the second factor, or a recovery code; only with a second factor.'),
  refresh_token: text('A refresh token to trade for an access token.'),
  rotate_refresh_token: text('`true`: each use of the refresh token replaces it; a replaced token ends the sign-in.'),
  code: text('The code of an authorization.'),
  client_id: text('The client that the code was given to.'),
  redirect_uri: text('Where the code was sent.'),
  code_verifier: text('The text whose S256 challenge began the authorization.'),
});
export type AccessTokenCredentials = Static<typeof AccessTokenCredentials>;

export const AccessTokenResponse = object('AccessTokenResponse', 'Tokens.', {
  access_token: Type.Optional(Type.String()),
  expires_in: int32({ description: 'Seconds until the access token ends.' }),
  refresh_token: Type.Optional(
    Type.String({ description: 'Expires after 90 days without use. Not the one that was sent where it rotates.' }),
  ),
  token_type: Type.Optional(Type.String({ description: '`bearer`.' })),
});
export type AccessTokenResponse = Static<typeof AccessTokenResponse>;

export const RevokeTokenForm = Type.Object({
  refresh_token: text('The refresh token.'),
  token: text('The same by its standard name.'),
});
