import type { Role } from './account.ts';
import type { AccountId } from './ids.ts';

/** To become a member of an account; whoever has its token may accept it, once. */
export type Invitation = {
  readonly id: string;
  readonly account: AccountId;
  readonly email: string;
  readonly role: Role;
  readonly hash: string;
  /** The e-mail address of the member. */
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};
