import type { Role } from '../domain/account.ts';
import type { AccountId, UserId } from '../domain/ids.ts';
import type { Bearer } from '../domain/repositories.ts';

type BearerColumns = { account: string; user_id: string; email: string; role: string | null; is_suspended: number };

/** Undefined for a user who no longer belongs to the account. */
export const toBearer = (row: BearerColumns): Bearer | undefined =>
  row.role === null
    ? undefined
    : {
        account: row.account as AccountId,
        user: row.user_id as UserId,
        email: row.email,
        role: row.role as Role,
        isSuspended: row.is_suspended === 1,
      };
