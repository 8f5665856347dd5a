import type { Role } from '../domain/account.ts';
import type { AccountId, UserId } from '../domain/ids.ts';

/** Who it is that shows a key or token, as of now: a role that was taken away is gone with the next request. */
export type Bearer = {
  readonly account: AccountId;
  readonly user: UserId;
  readonly email: string;
  readonly role: Role;
  readonly isSuspended: boolean;
};

type BearerColumns = { account: string; user_id: string; email: string; role: string; is_suspended: number };

export const toBearer = (row: BearerColumns): Bearer => ({
  account: row.account as AccountId,
  user: row.user_id as UserId,
  email: row.email,
  role: row.role as Role,
  isSuspended: row.is_suspended === 1,
});
