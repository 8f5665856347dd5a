import type { Role } from './account.ts';
import type { AccountId } from './ids.ts';

/** An invitation to an account; its token can be used once. */
export type Invitation = {
  readonly id: string;
  readonly account: AccountId;
  readonly email: string;
  readonly role: Role;
  readonly hash: string;
  /** E-mail address of the inviting member. */
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};
