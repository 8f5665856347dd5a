import { queryOptions } from '@tanstack/react-query';
import type {
  ApiKey,
  Invitation,
  Invited,
  NewApiKey,
  NewInvitation,
  OpenSession,
  RecoveryCodes,
  Role,
  SecondFactor,
} from './account-wire.ts';
import { noteEntered, noteLeft } from './auth-state.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import { memberQuery } from './session.ts';
import type { Member, Session } from './wire.ts';

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => request<Member[]>('GET', '/api/v1/members', { signal }),
});

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => request<Invitation[]>('GET', '/api/v1/invitations', { signal }),
});

export const apiKeysQuery = queryOptions({
  queryKey: ['api keys'],
  queryFn: ({ signal }) => request<ApiKey[]>('GET', '/api/v1/api_keys', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<OpenSession[]>('GET', '/api/v1/sessions', { signal }),
});

type Known = { readonly queryKey: readonly unknown[] };

async function andShow<T>(asked: Promise<T>, ...changed: readonly Known[]): Promise<T> {
  const answer = await asked;
  await Promise.all(changed.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
  return answer;
}

const at = (path: string, id: string): string => `/api/v1/${path}/${encodeURIComponent(id)}`;

export const changeRole = (id: string, role: Role): Promise<void> =>
  andShow(request('PUT', at('members', id), { body: { role } }), membersQuery, memberQuery);

export const removeMember = (id: string): Promise<void> =>
  andShow(request('DELETE', at('members', id)), membersQuery, apiKeysQuery);

/** Whoever leaves is nobody here from then on. */
export async function leaveAccount(id: string): Promise<void> {
  await request('DELETE', at('members', id));
  noteLeft();
}

export const invite = (body: Invited): Promise<NewInvitation> =>
  andShow(request('POST', '/api/v1/invitations', { body }), invitationsQuery);

export const takeInvitationBack = (id: string): Promise<void> =>
  andShow(request('DELETE', at('invitations', id)), invitationsQuery);

/** Whoever accepts is signed in. */
export async function acceptInvitation(body: { readonly token: string; readonly password: string }): Promise<Member> {
  const { member } = await request<Session>('POST', '/api/v1/invitations/accept', { body });
  noteEntered();
  return member;
}

export const createApiKey = (name: string): Promise<NewApiKey> =>
  andShow(request('POST', '/api/v1/api_keys', { body: { name } }), apiKeysQuery);

export const revokeApiKey = (id: string): Promise<void> => andShow(request('DELETE', at('api_keys', id)), apiKeysQuery);

export type PasswordChange = { readonly current_password: string; readonly new_password: string };

export const changePassword = (body: PasswordChange): Promise<Session> =>
  andShow(request('PUT', '/api/v1/password', { body }), sessionsQuery);

export type EmailChange = { readonly email: string; readonly current_password: string; readonly code?: string };

export const changeEmail = (body: EmailChange): Promise<Member> =>
  andShow(request('PUT', '/api/v1/email', { body }), memberQuery, membersQuery);

export const endSession = (id: string): Promise<void> => andShow(request('DELETE', at('sessions', id)), sessionsQuery);

/** The code is of the second factor, where one is on. */
export type Proof = { readonly password: string; readonly code?: string };

export const beginSecondFactor = (body: Proof): Promise<SecondFactor> =>
  request('POST', '/api/v1/second_factor', { body });

export const confirmSecondFactor = (code: string): Promise<RecoveryCodes> =>
  andShow(request('POST', '/api/v1/second_factor/confirm', { body: { code } }), memberQuery, membersQuery);

export const renewRecoveryCodes = (body: Proof): Promise<RecoveryCodes> =>
  request('POST', '/api/v1/second_factor/recovery_codes', { body });

export const endSecondFactor = (body: Proof): Promise<void> =>
  andShow(request('POST', '/api/v1/second_factor/disable', { body }), memberQuery, membersQuery);
