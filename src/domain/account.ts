import type { LimitKind } from './domain-error.ts';
import type { AccountId, UserId } from './ids.ts';

/** A tenant: everything belongs to one, and nothing of one is seen by another. */
export type Account = {
  readonly id: AccountId;
  readonly createdAt: number;
  /** Its row in the operator's table of plans. */
  readonly plan: string;
  /** What the operator gives this account beyond or below its plan. */
  readonly limitOverrides: Readonly<Partial<Record<LimitKind, number>>>;
  /** IANA name; schedules and months are by it. */
  readonly timeZone: string;
  readonly logRetentionDays: number;
  readonly logEnabled: boolean;
  readonly isSuspended: boolean;
};

export const roles = ['owner', 'admin', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** A person who signs in. */
export type User = {
  readonly id: UserId;
  readonly account: AccountId;
  /** Lower case; the same in no other account. */
  readonly email: string;
  /** The member chose the address (invitation, e-mail change); false where the set-up or the command line did. */
  readonly emailIsClaimed: boolean;
  readonly role: Role;
  /** As `credentials` writes it, with its parameters. */
  readonly passwordHash: string;
  /** The secret of the second factor, once it is confirmed. */
  readonly totpSecret: string | undefined;
  /** The last step of the second factor that was used: each works once. */
  readonly totpLastStep: number | undefined;
  readonly recoveryCodeHashes: readonly string[];
  readonly createdAt: number;
};

export const mayWrite = (role: Role): boolean => role !== 'viewer';
export const mayManageMembers = (role: Role): boolean => role === 'owner' || role === 'admin';
