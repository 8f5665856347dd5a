import { queryOptions } from '@tanstack/react-query';
import type { Invited, NewApiKey, NewInvitation, RecoveryCodes, Role, TwoFactorSecret } from './account-wire.ts';
import { recordSignIn, setSignedOut } from './auth-state.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import { memberQuery } from './session.ts';
import type { Member, Session } from './wire.ts';

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => request('GET /api/v1/members', { signal }),
});

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => request('GET /api/v1/invitations', { signal }),
});

export const apiKeysQuery = queryOptions({
  queryKey: ['api keys'],
  queryFn: ({ signal }) => request('GET /api/v1/api_keys', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request('GET /api/v1/sessions', { signal }),
});

type Keyed = { readonly queryKey: readonly unknown[] };

async function thenInvalidate<T>(pending: Promise<T>, ...changed: readonly Keyed[]): Promise<T> {
  const response = await pending;
  await Promise.all(changed.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
  return response;
}

export const changeRole = (id: string, role: Role): Promise<void> =>
  thenInvalidate(
    request('PUT /api/v1/members/{member_id}', { params: { member_id: id }, body: { role } }),
    membersQuery,
    memberQuery,
  );

export const removeMember = (id: string): Promise<void> =>
  thenInvalidate(
    request('DELETE /api/v1/members/{member_id}', { params: { member_id: id } }),
    membersQuery,
    apiKeysQuery,
  );

export async function leaveAccount(id: string): Promise<void> {
  await request('DELETE /api/v1/members/{member_id}', { params: { member_id: id } });
  setSignedOut();
}

export const invite = (body: Invited): Promise<NewInvitation> =>
  thenInvalidate(request('POST /api/v1/invitations', { body }), invitationsQuery);

export const revokeInvitation = (id: string): Promise<void> =>
  thenInvalidate(
    request('DELETE /api/v1/invitations/{invitation_id}', { params: { invitation_id: id } }),
    invitationsQuery,
  );

type Accepted = { readonly token: string; readonly password: string; readonly code?: string };

/** Also signs the new member in. */
export async function acceptInvitation(body: Accepted): Promise<Member> {
  const { member } = await request('POST /api/v1/invitations/accept', { body });
  recordSignIn();
  return member;
}

export const createApiKey = (name: string): Promise<NewApiKey> =>
  thenInvalidate(request('POST /api/v1/api_keys', { body: { name } }), apiKeysQuery);

export const revokeApiKey = (id: string): Promise<void> =>
  thenInvalidate(request('DELETE /api/v1/api_keys/{api_key_id}', { params: { api_key_id: id } }), apiKeysQuery);

export type PasswordChange = { readonly current_password: string; readonly new_password: string };

export const changePassword = (body: PasswordChange): Promise<Session> =>
  thenInvalidate(request('PUT /api/v1/password', { body }), sessionsQuery);

export type EmailChange = { readonly email: string; readonly current_password: string; readonly code?: string };

export const changeEmail = (body: EmailChange): Promise<Member> =>
  thenInvalidate(request('PUT /api/v1/email', { body }), memberQuery, membersQuery);

export const endSession = (id: string): Promise<void> =>
  thenInvalidate(request('DELETE /api/v1/sessions/{session_id}', { params: { session_id: id } }), sessionsQuery);

export const endOtherSessions = (): Promise<void> => thenInvalidate(request('DELETE /api/v1/sessions'), sessionsQuery);

/** `code` is required if two-factor authentication is on. */
export type Proof = { readonly password: string; readonly code?: string };

export const setUpTwoFactor = (body: Proof): Promise<TwoFactorSecret> =>
  request('POST /api/v1/second_factor', { body });

export const confirmTwoFactor = (code: string): Promise<RecoveryCodes> =>
  thenInvalidate(request('POST /api/v1/second_factor/confirm', { body: { code } }), memberQuery, membersQuery);

export const renewRecoveryCodes = (body: Proof): Promise<RecoveryCodes> =>
  request('POST /api/v1/second_factor/recovery_codes', { body });

export const disableTwoFactor = (body: Proof): Promise<void> =>
  thenInvalidate(request('POST /api/v1/second_factor/disable', { body }), memberQuery, membersQuery);
