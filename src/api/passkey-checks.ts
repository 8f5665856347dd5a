import type { Passkey, RelyingParty } from '../domain/passkey.ts';
import type { AuthenticationCredential, RegistrationCredential } from './wire/passkeys.ts';

/** The options of a WebAuthn ceremony that its response must match. */
export type PasskeyExpectation = { readonly challenge: string; readonly party: RelyingParty };

/** Verifies responses of authenticators; undefined if the response is invalid. */
export type PasskeyChecks = {
  registration(
    response: RegistrationCredential,
    expected: PasskeyExpectation,
  ): Promise<Pick<Passkey, 'credential' | 'publicKey' | 'counter' | 'transports'> | undefined>;
  /** The new counter. */
  signIn(
    response: AuthenticationCredential,
    expected: PasskeyExpectation,
    passkey: Passkey,
  ): Promise<{ readonly counter: number } | undefined>;
};
