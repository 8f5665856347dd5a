import type { PasskeyChecks } from '../api/passkey-checks.ts';
import type { RegistrationCredential } from '../api/wire/passkeys.ts';
import { passkeyAlgorithms } from '../domain/passkey.ts';

// Loaded on first use: most starts need no WebAuthn.
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

const bytesOf = (base64Url: string) => new Uint8Array(Buffer.from(base64Url, 'base64url'));

/** The library throws for every wrong response. */
const undefinedIfWrong = <T>(checking: Promise<T>): Promise<T | undefined> => checking.catch(() => undefined);

/**
 * The options request no attestation. Statements with certificates are rejected, because the library would download revocation lists from
 * the URLs in them.
 */
async function hasNoCertificates({ response }: RegistrationCredential): Promise<boolean> {
  const { decodeAttestationObject } = await helpers();
  const attestation = decodeAttestationObject(bytesOf(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

export const passkeyChecks: PasskeyChecks = {
  async registration(attestation, { challenge, party }) {
    const { verifyRegistrationResponse } = await library();
    if ((await undefinedIfWrong(hasNoCertificates(attestation))) !== true) return undefined;
    const verified = await undefinedIfWrong(
      verifyRegistrationResponse({
        response: { ...attestation, clientExtensionResults: {} } as Parameters<
          typeof verifyRegistrationResponse
        >[0]['response'],
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        supportedAlgorithmIDs: [...passkeyAlgorithms],
      }),
    );
    if (!verified?.verified) return undefined;
    const { id, publicKey, counter } = verified.registrationInfo.credential;
    return {
      credential: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: attestation.response.transports ?? [],
    };
  },

  async signIn(assertion, { challenge, party }, { credential, publicKey, counter }) {
    const { verifyAuthenticationResponse } = await library();
    const { userHandle: _, ...response } = assertion.response;
    const verified = await undefinedIfWrong(
      verifyAuthenticationResponse({
        response: { ...assertion, response, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        credential: { id: credential, publicKey: bytesOf(publicKey), counter },
      }),
    );
    return verified?.verified ? { counter: verified.authenticationInfo.newCounter } : undefined;
  },
};
