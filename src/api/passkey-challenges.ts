import { toBase64Url } from '../domain/base-encoding.ts';
import type { UserId } from '../domain/ids.ts';
import { type RelyingParty, relyingParty } from '../domain/passkey.ts';
import type { Transaction } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { hashOf } from '../operations/new-secrets.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import type { PasskeyExpectation } from './passkey-checks.ts';

const CHALLENGE_BYTES = 32;
export const CHALLENGE_MS = 5 * 60_000;

/** The purpose is part of the key, so that a challenge cannot be used for another purpose or by another user. */
type Purpose = 'sign-in' | { readonly registrationOf: UserId };

const kindOf = (purpose: Purpose): string =>
  purpose === 'sign-in' ? 'passkey sign-in' : `passkey of ${purpose.registrationOf}`;

/** The origin for passkeys, or an error if browsers do not support passkeys there. */
export function partyFor(deps: Pick<Deps, 'publicUrl'>, pageOrigin: string): Result<RelyingParty, ApiError> {
  const party = relyingParty(deps.publicUrl(), pageOrigin);
  const message = 'Passkeys require HTTPS with a host name, or localhost';
  return party ? ok(party) : err({ kind: 'bad request', message });
}

/** Stores a challenge in the database, so that any node can verify the response. */
export async function newChallenge(
  { oneTimeTokens }: Transaction,
  deps: Deps,
  purpose: Purpose,
  party: RelyingParty,
): Promise<string> {
  const challenge = toBase64Url(deps.random(CHALLENGE_BYTES));
  const expiresAt = deps.now() + CHALLENGE_MS;
  await oneTimeTokens.put({ kind: kindOf(purpose), hash: hashOf(deps, challenge), content: party, expiresAt });
  return challenge;
}

/** Consumes the challenge of a response. */
export async function takeChallenge(
  { oneTimeTokens }: Transaction,
  deps: Deps,
  purpose: Purpose,
  clientDataJson: string,
): Promise<PasskeyExpectation | undefined> {
  const challenge = challengeIn(clientDataJson);
  if (challenge === undefined) return undefined;
  const taken = await oneTimeTokens.take(kindOf(purpose), hashOf(deps, challenge), deps.now());
  return taken && { challenge, party: taken.content as RelyingParty };
}

function challengeIn(clientDataJson: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined;
    return typeof data.challenge === 'string' ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}
