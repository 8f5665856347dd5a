import Type, { type Static } from 'typebox';
import { type Account as OwnAccount, roles, type User } from '../../domain/account.ts';
import type { AuditEntry as OwnEntry } from '../../domain/audit.ts';
import type { ApiKey as DomainKey } from '../../domain/credentials.ts';
import type { Invitation as OwnInvitation } from '../../domain/invitation.ts';
import type { Tokens } from '../sign-in.ts';
import { AccountLimits } from './limits.ts';
import { enumeration, int32, int64, object } from './named.ts';
import { Navigation } from './pages.ts';

// Not part of the published API, which has no members, keys or accounts.

export const Role = enumeration('Role', roles);
const millis = int64({ description: 'Milliseconds since 1970.' });

export const Email = Type.String({ minLength: 3, maxLength: 254 });
export const Password = Type.String({ minLength: 1, maxLength: 1024 });

const memberMembers = {
  id: Type.String(),
  email: Type.String(),
  role: Role,
  second_factor_enabled: Type.Boolean(),
  created_millis: millis,
};
export const Member = object('Member', 'A member of the account.', memberMembers);
export const SignedInMember = object('SignedInMember', 'A member of the account and the current session.', {
  ...memberMembers,
  session_idle_minutes: Type.Optional(int32({ description: 'Idle timeout of a cookie session in minutes.' })),
});

export const memberToWire = ({ id, email, role, totpSecret, createdAt }: User): Static<typeof Member> => ({
  id,
  email,
  role,
  second_factor_enabled: totpSecret !== undefined,
  created_millis: createdAt,
});

/** 0 minutes: the session has no idle timeout. */
export const signedInToWire = (user: User, idleMinutes: number): Static<typeof SignedInMember> => ({
  ...memberToWire(user),
  ...(idleMinutes > 0 && { session_idle_minutes: idleMinutes }),
});

export const Session = object('Session', 'Tokens of a session.', {
  access_token: Type.Optional(Type.String({ description: 'Absent if it was set as a cookie.' })),
  refresh_token: Type.Optional(Type.String({ description: 'Absent if the access token was set as a cookie.' })),
  expires_in: int32({ description: 'Lifetime of the access token in seconds.' }),
  member: SignedInMember,
});

export const sessionToWire = (tokens: Tokens, user: User, idleMinutes: number): Static<typeof Session> => ({
  access_token: tokens.accessToken,
  refresh_token: tokens.refreshToken,
  expires_in: tokens.expiresInSeconds,
  member: signedInToWire(user, idleMinutes),
});

export const AccountChoice = object('AccountChoice', 'An account that the user belongs to.', {
  id: Type.String(),
  owner_email: Type.String({ description: 'E-mail address of the owner who has been a member for the longest time.' }),
  role: Role,
  current: Type.Boolean({ description: 'Whether this request is for this account.' }),
});

const invitationMembers = {
  id: Type.String(),
  email: Type.String(),
  role: Role,
  invited_by: Type.String(),
  created_millis: millis,
  expires_millis: millis,
};
export const Invitation = object('Invitation', 'An invitation to become a member.', invitationMembers);
export const NewInvitation = object(
  'NewInvitation',
  'An invitation and its token. The token is returned only in this response.',
  {
    ...invitationMembers,
    token: Type.String(),
  },
);

export const invitationToWire = (invitation: OwnInvitation): Static<typeof Invitation> => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_millis: invitation.createdAt,
  expires_millis: invitation.expiresAt,
});

const keyMembers = {
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'First characters of the key.' }),
  member_id: Type.String({ description: 'E-mail address of the owner; the key has the role of this member.' }),
  created_millis: millis,
  last_used_millis: Type.Optional(millis),
};
export const ApiKey = object('ApiKey', 'An API key without its secret.', keyMembers);
export const NewApiKey = object('NewApiKey', 'An API key. The secret is returned only in this response.', {
  ...keyMembers,
  api_key: Type.String(),
});

export const keyToWire = (key: DomainKey): Static<typeof ApiKey> => ({
  id: key.id,
  name: key.name,
  hint: key.hint,
  member_id: key.user,
  created_millis: key.createdAt,
  ...(key.lastUsedAt !== undefined && { last_used_millis: key.lastUsedAt }),
});

const AuditEntry = object('AuditEntry', 'One change.', {
  id: Type.String(),
  time_millis: millis,
  by: Type.String({ description: 'E-mail address, `key` followed by the key name, or `operator`.' }),
  from: Type.Optional(Type.String({ description: 'IP address of the client.' })),
  action: Type.String({ description: 'For example `device.create`.' }),
  subject: Type.Optional(Type.String({ description: 'Id of the changed resource.' })),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
});
export const AuditPage = object('AuditPage', 'Audit log entries, newest first.', {
  items: Type.Array(AuditEntry),
  next_cursor: Type.Optional(Type.String({ description: 'The same as `navigation.next.page_cursor`.' })),
  navigation: Navigation,
});

export const auditToWire = (entry: OwnEntry): Static<typeof AuditEntry> => ({
  id: entry.id,
  time_millis: entry.at,
  by: entry.by,
  ...(entry.from !== undefined && { from: entry.from }),
  action: entry.action,
  ...(entry.subject !== undefined && { subject: entry.subject }),
  ...(entry.before !== undefined && { before: entry.before }),
  ...(entry.after !== undefined && { after: entry.after }),
});

const accountSettings = {
  time_zone: Type.String({
    description: 'For example `Europe/Berlin`. Applies to schedules and monthly limits.',
    maxLength: 64,
  }),
  log_retention_days: int32({ minimum: 1, maximum: 365 }),
  log_enabled: Type.Boolean({ description: 'Whether queries are logged. Statistics are also disabled without it.' }),
};
export const Account = object('Account', 'The account with its plan and settings.', {
  id: Type.String(),
  created_millis: millis,
  plan: Type.String(),
  ...accountSettings,
  limits: AccountLimits,
});
export const AccountUpdate = object('AccountUpdate', 'Account update.', {
  time_zone: Type.Optional(accountSettings.time_zone),
  log_retention_days: Type.Optional(accountSettings.log_retention_days),
  log_enabled: Type.Optional(accountSettings.log_enabled),
});

export const accountToWire = (account: OwnAccount, limits: Static<typeof AccountLimits>): Static<typeof Account> => ({
  id: account.id,
  created_millis: account.createdAt,
  plan: account.plan,
  time_zone: account.timeZone,
  log_retention_days: account.logRetentionDays,
  log_enabled: account.logEnabled,
  limits,
});
