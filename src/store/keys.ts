import type { ApiKey } from '../domain/credentials.ts';
import type { AccountId, KeyId, UserId } from '../domain/ids.ts';
import type { KeyBearer } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { toBearer } from './bearer.ts';
import { prepared } from './database.ts';
import { roleIn } from './memberships.ts';
import { conflictUnless } from './rows.ts';
import type { KeyRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const byHash = prepared<{ hash: string }>()((db, $) =>
  db
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .innerJoin('accounts as a', 'a.id', 'k.account')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.account', '=', 'k.account').onRef('m.user_id', '=', 'k.user_id'),
    )
    .select(['k.id', 'k.name', 'k.account', 'k.user_id', 'u.email', 'a.is_suspended', roleIn('k.account')])
    .where('k.hash', '=', $.hash),
);

export const keyReads = (session: Session) => ({
  /** Called on every request. */
  async byHash(hash: string): Promise<KeyBearer | undefined> {
    const row = await session.first(byHash, { hash });
    const bearer = row && toBearer(row);
    return bearer && { ...bearer, key: row.id as KeyId, keyName: row.name };
  },

  async list(account: AccountId): Promise<readonly ApiKey[]> {
    const query = session.db.selectFrom('api_keys').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('created_at').orderBy('id'))).map(toKey);
  },
});

export const keyWrites = (session: Session) => ({
  async add(key: ApiKey): Promise<Result<void, Conflict>> {
    const insert = session.db
      .insertInto('api_keys')
      .values(toRow(key))
      .onConflict((on) => on.doNothing());
    return conflictUnless(await session.change(key.account, insert), 'hash');
  },

  async remove(account: AccountId, id: KeyId): Promise<boolean> {
    const remove = session.db.deleteFrom('api_keys').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove)) > 0;
  },
});

/** Unscoped and without a change notification: a last use is not a change of the settings. */
export async function recordUses(session: Session, used: ReadonlyMap<KeyId, number>): Promise<void> {
  for (const [id, at] of used) {
    await session.change('unscoped', session.db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id));
  }
}

const toRow = (key: ApiKey): KeyRow => ({
  id: key.id,
  account: key.account,
  user_id: key.user,
  name: key.name,
  hash: key.hash,
  hint: key.hint,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt ?? null,
});

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id as KeyId,
  account: row.account as AccountId,
  user: row.user_id as UserId,
  name: row.name,
  hash: row.hash,
  hint: row.hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});
