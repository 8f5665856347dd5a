// Types of accounts, members and API keys, from the client library.
export type {
  Account,
  AccountUpdate,
  ApiKey,
  AuditEntry,
  Invitation,
  InvitationCreate as Invited,
  NewApiKey,
  NewInvitation,
  OpenSession,
  RecoveryCodes,
  Role,
  SecondFactor as TwoFactorSecret,
} from '../../src/client/operations.ts';
