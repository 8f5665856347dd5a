import Type, { type Static } from 'typebox';
import type { Passkey as OwnPasskey } from '../../domain/passkey.ts';
import { enumeration, int32, int64, object } from './named.ts';

// Options and credentials have the names of the JSON forms in WebAuthn Level 3, so that browsers read and write them.

const base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });
const CREDENTIAL_LENGTH = 1400;
const MAX_TRANSPORTS = 8;

const Descriptor = object('PasskeyDescriptor', 'A registered credential.', {
  type: Type.Literal('public-key'),
  id: Type.String(),
  transports: Type.Array(Type.String()),
});

export const PasskeyCreationOptions = object(
  'PasskeyCreationOptions',
  '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn, valid once and for five minutes.',
  {
    challenge: Type.String(),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: int32() })),
    timeout: int32(),
    excludeCredentials: Type.Array(Descriptor),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.Literal('required'),
    }),
    attestation: Type.Literal('none'),
  },
);

export const PasskeyRequestOptions = object(
  'PasskeyRequestOptions',
  '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn, valid once and for five minutes.',
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: int32(),
    userVerification: Type.Literal('required'),
  },
);

const credentialMembers = {
  id: base64Url(CREDENTIAL_LENGTH),
  rawId: base64Url(CREDENTIAL_LENGTH),
  type: enumeration('PasskeyType', ['public-key']),
};

export const RegistrationCredential = object('RegistrationCredential', '`RegistrationResponseJSON` of WebAuthn.', {
  ...credentialMembers,
  response: Type.Object({
    clientDataJSON: base64Url(8192),
    attestationObject: base64Url(65_536),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: MAX_TRANSPORTS })),
  }),
});
export type RegistrationCredential = Static<typeof RegistrationCredential>;

export const AuthenticationCredential = object(
  'AuthenticationCredential',
  '`AuthenticationResponseJSON` of WebAuthn.',
  {
    ...credentialMembers,
    response: Type.Object({
      clientDataJSON: base64Url(8192),
      authenticatorData: base64Url(8192),
      signature: base64Url(8192),
      userHandle: Type.Optional(Type.String({ maxLength: 200 })),
    }),
  },
);
export type AuthenticationCredential = Static<typeof AuthenticationCredential>;

const Name = Type.String({ minLength: 1, maxLength: 64 });
export const PasskeyCreate = object('PasskeyCreate', 'Name and response of the authenticator.', {
  name: Name,
  credential: RegistrationCredential,
});
export const PasskeyUpdate = object('PasskeyUpdate', 'New name.', { name: Name });

export const Passkey = object('Passkey', 'A passkey of the current user.', {
  id: Type.String(),
  name: Type.String(),
  host: Type.String({ description: 'Host name of the web interface at which the passkey works.' }),
  created_millis: int64({ description: 'Milliseconds since 1970.' }),
  last_used_millis: Type.Optional(int64({ description: 'Absent if it was never used.' })),
});

export const passkeyToWire = ({ id, name, rpId, createdAt, lastUsedAt }: OwnPasskey): Static<typeof Passkey> => ({
  id,
  name,
  host: rpId,
  created_millis: createdAt,
  ...(lastUsedAt !== undefined && { last_used_millis: lastUsedAt }),
});
