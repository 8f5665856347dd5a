// Types of accounts, members and API keys, derived from the API schemas.
import type { Static } from 'typebox';
import type * as people from '../../src/api/wire/people.ts';
import type * as sessions from '../../src/api/wire/sessions.ts';
import type { Member } from './wire.ts';

export type Account = Static<typeof people.Account>;
export type AccountChoice = Static<typeof people.AccountChoice>;
export type AccountUpdate = Static<typeof people.AccountUpdate>;
export type ApiKey = Static<typeof people.ApiKey>;
export type NewApiKey = Static<typeof people.NewApiKey>;
export type AuditPage = Static<typeof people.AuditPage>;
export type AuditEntry = AuditPage['items'][number];
export type Invitation = Static<typeof people.Invitation>;
export type NewInvitation = Static<typeof people.NewInvitation>;
export type OpenSession = Static<typeof sessions.OpenSession>;
export type Role = Member['role'];
export type Invited = { readonly email: string; readonly role: Role };
export type TwoFactorSecret = { readonly secret: string; readonly uri: string };
export type RecoveryCodes = { readonly recovery_codes: readonly string[] };
