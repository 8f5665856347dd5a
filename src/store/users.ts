import type { Role, User } from '../domain/account.ts';
import type { AccountId, UserId } from '../domain/ids.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { prepared } from './database.ts';
import { findMembership, firstAccountOf, membershipsOf, moveToNextAccount, removeCredentials } from './memberships.ts';
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

  /** A user as a member of this account, with the role there. */
  async find(account: AccountId, id: UserId): Promise<User | undefined> {
    const row = await session.first(byId, { account, id });
    if (row) return toUser(row);
    const member = await findMembership(session, account, id);
    const first = member && (await firstAccountOf(session, id));
    // By the first account, which a transaction thereby locks: it has the credentials.
    const user = first && (await session.first(byId, { account: first, id }));
    return user && { ...toUser(user), account, role: member.role as Role, createdAt: member.created_at };
  },

  /** Unscoped: the accounts of a user, that in which the user was created first. */
  async accounts(id: UserId): Promise<readonly AccountId[]> {
    const first = await firstAccountOf(session, id);
    if (first === undefined) return [];
    return [first, ...(await membershipsOf(session, id)).map(({ account }) => account as AccountId)];
  },

  async members(account: AccountId): Promise<readonly User[]> {
    const query = session.db.selectFrom('users').selectAll().where('account', '=', account);
    const users = (await session.ask(account, query)).map(toUser);
    const joined = session.db
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .selectAll('u')
      .select(['m.role as member_role', 'm.created_at as joined_at'])
      .where('m.account', '=', account);
    for (const row of await session.ask(account, joined))
      users.push({ ...toUser(row), account, role: row.member_role as Role, createdAt: row.joined_at });
    return users.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
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

  /** Makes a user of another account a member of this one. */
  async join({ account, id, role, createdAt }: Pick<User, 'account' | 'id' | 'role' | 'createdAt'>) {
    const insert = session.db
      .insertInto('memberships')
      .values({ id: `${account} ${id}`, account, user_id: id, role, created_at: createdAt })
      .onConflict((on) => on.doNothing());
    return conflictUnless(await session.change(account, insert), 'email');
  },

  /** The role of `user.account`; everything else is that of the user in all accounts. */
  async update(user: User): Promise<boolean> {
    const { id, account, role, created_at: _, ...credentials } = toRow(user);
    const first = await firstAccountOf(session, user.id);
    if (first === undefined) return false;
    if (first !== user.account) {
      const member = session.db.updateTable('memberships').set({ role }).where('account', '=', account);
      if ((await session.change(user.account, member.where('user_id', '=', id))) === 0) return false;
    }
    const columns = first === user.account ? { ...credentials, role } : credentials;
    const update = session.db.updateTable('users').set(columns).where('account', '=', first).where('id', '=', id);
    return (await session.change(first, update)) > 0;
  },

  /** With all keys and tokens of this account. A user without another account is deleted. */
  async remove(account: AccountId, id: UserId): Promise<boolean> {
    if ((await firstAccountOf(session, id)) === account) {
      if (await moveToNextAccount(session, account, id)) return true;
      const remove = session.db.deleteFrom('users').where('account', '=', account).where('id', '=', id);
      return (await session.change(account, remove)) > 0;
    }
    await removeCredentials(session, account, id);
    const remove = session.db.deleteFrom('memberships').where('account', '=', account).where('user_id', '=', id);
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
