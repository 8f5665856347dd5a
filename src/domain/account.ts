import type { LimitKind } from './domain-error.ts';
import type { AccountId, UserId } from './ids.ts';

/** A tenant. Every resource belongs to one account and is invisible to others. */
export type Account = {
  readonly id: AccountId;
  readonly createdAt: number;
  /** Name of a plan in the table of the operator. */
  readonly plan: string;
  /** Limits that override the plan. */
  readonly limitOverrides: Readonly<Partial<Record<LimitKind, number>>>;
  /** IANA time zone of schedules and monthly limits. */
  readonly timeZone: string;
  readonly logRetentionDays: number;
  readonly logEnabled: boolean;
  readonly isSuspended: boolean;
};

export const roles = ['owner', 'admin', 'viewer'] as const;
export type Role = (typeof roles)[number];

export type User = {
  readonly id: UserId;
  readonly account: AccountId;
  /** Lower case; unique across accounts. */
  readonly email: string;
  /** Whether the member chose the address (invitation, e-mail change); false if it was set by the set-up or the command line. */
  readonly emailIsClaimed: boolean;
  readonly role: Role;
  /** Encoded hash with its parameters. */
  readonly passwordHash: string;
  /** Confirmed TOTP secret. */
  readonly totpSecret: string | undefined;
  /** The last used TOTP step, so that each code can be used once. */
  readonly totpLastStep: number | undefined;
  readonly recoveryCodeHashes: readonly string[];
  readonly createdAt: number;
};

export const mayWrite = (role: Role): boolean => role !== 'viewer';
export const mayManageMembers = (role: Role): boolean => role === 'owner' || role === 'admin';
