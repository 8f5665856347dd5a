import { queryOptions } from '@tanstack/react-query';
import type { Passkey } from '../../src/client/operations.ts';
import { recordSignIn } from './auth-state.ts';
import type { Proof } from './members.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { SignedInMember } from './wire.ts';

/** Why the browser made or used no passkey. */
export class PasskeyError extends Error {
  readonly why: 'cancelled' | 'exists' | 'otherHost';
  /** Where passkeys work. */
  readonly host: string;
  constructor(why: PasskeyError['why'], host = '') {
    super(why);
    this.why = why;
    this.host = host;
  }
}

/** Why this page can have no passkeys: they need HTTPS, or localhost, and a host name. */
export function passkeyObstacle(): 'insecure' | 'address' | 'unsupported' | undefined {
  if (!isSecureContext) return 'insecure';
  if (/^[\d.]+$|^\[/.test(location.hostname)) return 'address';
  return 'PublicKeyCredential' in globalThis ? undefined : 'unsupported';
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => request('GET /api/v1/passkeys', { signal }),
});

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

/** Loaded on use: few visits need it. */
const webAuthn = () => import('./web-authn.ts');

export async function addPasskey({ name, proof }: { name: string; proof: Proof }): Promise<Passkey> {
  const options = await request('POST /api/v1/passkeys/options', { body: proof });
  const credential = await (await webAuthn()).createCredential(options);
  const passkey = await request('POST /api/v1/passkeys', { body: { name, credential } });
  await refresh();
  return passkey;
}

export async function renamePasskey({ id, name }: Pick<Passkey, 'id' | 'name'>): Promise<void> {
  await request('PUT /api/v1/passkeys/{passkey_id}', { params: { passkey_id: id }, body: { name } });
  await refresh();
}

export async function removePasskey({ id }: Pick<Passkey, 'id'>): Promise<void> {
  await request('DELETE /api/v1/passkeys/{passkey_id}', { params: { passkey_id: id } });
  await refresh();
}

export async function signInWithPasskey(keep_signed_in: boolean): Promise<SignedInMember> {
  const options = await request('POST /api/v1/session/passkey/options');
  const credential = await (await webAuthn()).getCredential(options);
  const { member } = await request('POST /api/v1/session/passkey', { body: { credential, keep_signed_in } });
  recordSignIn();
  return member;
}
