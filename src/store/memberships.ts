import { sql } from 'kysely';
import type { AccountId, UserId } from '../domain/ids.ts';
import { prepared } from './database.ts';
import type { MembershipRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

// A user has one row in `users`, with the credentials and the first account, and one in `memberships` per further account.

/** In queries that join the users `u` with the memberships `m` of an account: null for a user who does not belong to it. */
export const roleIn = (account: 'k.account' | 't.account' | 'f.account') =>
  sql<string | null>`case when u.account = ${sql.ref(account)} then u.role else m.role end`.as('role');

const firstAccount = prepared<{ id: UserId }>()((db, $) =>
  db.selectFrom('users').select('account').where('id', '=', $.id),
);

const membership = prepared<{ account: AccountId; id: UserId }>()((db, $) =>
  db.selectFrom('memberships').selectAll().where('account', '=', $.account).where('user_id', '=', $.id),
);

const ofUser = prepared<{ id: UserId }>()((db, $) =>
  db.selectFrom('memberships').selectAll().where('user_id', '=', $.id).orderBy('created_at').orderBy('id'),
);

/** The account of the row in `users`. */
export async function firstAccountOf(session: Session, id: UserId): Promise<AccountId | undefined> {
  return (await session.first(firstAccount, { id }))?.account as AccountId | undefined;
}

export const findMembership = (session: Session, account: AccountId, id: UserId): Promise<MembershipRow | undefined> =>
  session.first(membership, { account, id });

export const belongsTo = async (session: Session, account: AccountId, id: UserId): Promise<boolean> =>
  (await firstAccountOf(session, id)) === account || (await findMembership(session, account, id)) !== undefined;

/** Oldest first. */
export const membershipsOf = (session: Session, id: UserId): Promise<readonly MembershipRow[]> =>
  session.all(ofUser, { id });

/** Removes the keys and sessions that a user has in an account. */
export async function removeCredentials(session: Session, account: AccountId, id: UserId): Promise<void> {
  for (const table of ['api_keys', 'token_families'] as const)
    await session.change(
      account,
      session.db.deleteFrom(table).where('account', '=', account).where('user_id', '=', id),
    );
}

/**
 * Takes a user out of the first account: the oldest membership takes its place. False for a user without one, whose row
 * can be deleted.
 */
export async function moveToNextAccount(session: Session, account: AccountId, id: UserId): Promise<boolean> {
  const [next] = await membershipsOf(session, id);
  if (!next) return false;
  await removeCredentials(session, account, id);
  const nextAccount = next.account as AccountId;
  await session.change(nextAccount, session.db.deleteFrom('memberships').where('id', '=', next.id));
  const move = session.db.updateTable('users').set({ account: nextAccount, role: next.role });
  await session.change(account, move.where('account', '=', account).where('id', '=', id));
  return true;
}
