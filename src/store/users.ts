import type { Role, User } from '../domain/account.ts';
import type { AccountId, UserId } from '../domain/ids.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { prepared } from './database.ts';
import { bit, conflictUnless, folded } from './rows.ts';
import type { UserRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const byId = prepared<{ account: AccountId; id: UserId }>()((db, $) =>
  db.selectFrom('users').selectAll().where('account', '=', $.account).where('id', '=', $.id),
);

const byEmail = prepared<{ email: string }>()((db, $) =>
  db.selectFrom('users').selectAll().where('email', '=', $.email),
);

export const userReads = (session: Session) => ({
  /** Unscoped, for signing in. */
  async byEmail(email: string): Promise<User | undefined> {
    const row = await session.first(byEmail, { email: folded(email) });
    return row && toUser(row);
  },

  async find(account: AccountId, id: UserId): Promise<User | undefined> {
    const row = await session.first(byId, { account, id });
    return row && toUser(row);
  },

  async members(account: AccountId): Promise<readonly User[]> {
    const query = session.db.selectFrom('users').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('created_at').orderBy('id'))).map(toUser);
  },
});

export const userWrites = (session: Session) => ({
  async add(user: User): Promise<Result<void, Conflict>> {
    const insert = session.db
      .insertInto('users')
      .values(toRow(user))
      .onConflict((on) => on.doNothing());
    return conflictUnless(await session.change(user.account, insert), 'email');
  },

  async update(user: User): Promise<boolean> {
    const { id, account, ...columns } = toRow(user);
    const update = session.db.updateTable('users').set(columns).where('account', '=', account).where('id', '=', id);
    return (await session.change(user.account, update)) > 0;
  },

  /** With all keys and tokens. */
  async remove(account: AccountId, id: UserId): Promise<boolean> {
    const remove = session.db.deleteFrom('users').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove)) > 0;
  },
});

const toRow = (user: User): UserRow => ({
  id: user.id,
  account: user.account,
  email: folded(user.email),
  role: user.role,
  password_hash: user.passwordHash,
  totp_secret: user.totpSecret ?? null,
  totp_last_step: user.totpLastStep ?? null,
  recovery_code_hashes: JSON.stringify(user.recoveryCodeHashes),
  created_at: user.createdAt,
  email_claimed: bit(user.emailIsClaimed),
});

const toUser = (row: UserRow): User => ({
  id: row.id as UserId,
  account: row.account as AccountId,
  email: row.email,
  role: row.role as Role,
  passwordHash: row.password_hash,
  totpSecret: row.totp_secret ?? undefined,
  totpLastStep: row.totp_last_step ?? undefined,
  recoveryCodeHashes: JSON.parse(row.recovery_code_hashes) as readonly string[],
  createdAt: row.created_at,
  emailIsClaimed: row.email_claimed === 1,
});
