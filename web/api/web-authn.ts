import type {
  AuthenticationCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  RegistrationCredential,
} from '../../src/client/operations.ts';
import { PasskeyError } from './passkeys.ts';

// The JSON forms of WebAuthn to and from bytes. Browsers have functions for it only since 2024 and 2025.

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const toText = (bytes: ArrayBuffer): string =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Browsers refuse other host names with an error that says nothing. */
function requireHost(host: string): void {
  if (host !== location.hostname) throw new PasskeyError('otherHost', host);
}

async function credentialOf(asking: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asking;
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError') throw new PasskeyError('exists');
    if (!(error instanceof DOMException)) throw error;
  }
  throw new PasskeyError('cancelled');
}

const membersOf = ({ id, rawId }: PublicKeyCredential) => ({ id, rawId: toText(rawId), type: 'public-key' as const });

export async function createCredential(options: PasskeyCreationOptions): Promise<RegistrationCredential> {
  requireHost(options.rp.id);
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(({ type, id, transports }) => ({
      type,
      id: toBytes(id),
      transports: transports as AuthenticatorTransport[],
    })),
  };
  const credential = await credentialOf(navigator.credentials.create({ publicKey }));
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...membersOf(credential),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
      transports: response.getTransports(),
    },
  };
}

export async function getCredential(options: PasskeyRequestOptions): Promise<AuthenticationCredential> {
  requireHost(options.rpId);
  const publicKey = { ...options, challenge: toBytes(options.challenge) };
  const credential = await credentialOf(navigator.credentials.get({ publicKey }));
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    ...membersOf(credential),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(response.userHandle && { userHandle: toText(response.userHandle) }),
    },
  };
}
