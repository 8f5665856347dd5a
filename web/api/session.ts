import { queryOptions } from '@tanstack/react-query';
import { recordSignIn, setSessionExpired, setSignedIn, setSignedOut } from './auth-state.ts';
import { request } from './request.ts';
import type { SignedInMember } from './wire.ts';

export type Credentials = {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
  readonly keep_signed_in?: boolean;
};

export const memberQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const member = await request('GET /api/v1/session', { signal });
    setSignedIn();
    return member;
  },
  staleTime: 60_000,
});

export async function signIn(credentials: Credentials): Promise<SignedInMember> {
  const { member } = await request('POST /api/v1/session', { body: credentials });
  recordSignIn();
  return member;
}

export async function signOut(): Promise<void> {
  await request('DELETE /api/v1/session');
  setSignedOut();
}

/** Ends an idle session; the page stays open so that the user can sign in again. */
export async function endSession(): Promise<void> {
  await request('DELETE /api/v1/session');
  setSessionExpired();
}

export type FirstOwner = { readonly token: string; readonly email: string; readonly password: string };

export async function setUp(owner: FirstOwner): Promise<SignedInMember> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { member } = await request('POST /api/v1/set_up', { body: { ...owner, time_zone: timeZone } });
  recordSignIn();
  return member;
}

export const isSetUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => request('GET /api/v1/set_up', { signal }),
});

export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => request('GET /oapi/v1/accounts', { signal }),
});

/** The session continues in the other account. */
export async function switchAccount(id: string): Promise<SignedInMember> {
  const { member } = await request('PUT /api/v1/session/account', { body: { account_id: id } });
  recordSignIn();
  return member;
}
