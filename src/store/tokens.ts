import {
  type AccessToken,
  PAGE_SESSION_PREFIX,
  PERSISTENT_SESSION_PREFIX,
  type ReplacedRefreshToken,
  type UserSession,
} from '../domain/credentials.ts';
import type { AccountId, UserId } from '../domain/ids.ts';
import { MAX_REPLACED, REFRESH_IDLE_MS } from '../domain/refresh-tokens.ts';
import type { OpenSession, ReplacedBearer, SessionBearer, TokenBearer } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { toBearer } from './bearer.ts';
import { prepared } from './database.ts';
import { belongsTo, roleIn } from './memberships.ts';
import { bit, conflictUnless } from './rows.ts';
import type { FamilyRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const accessByHash = prepared<{ hash: string; now: number }>()((db, $) =>
  db
    .selectFrom('access_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .innerJoin('accounts as a', 'a.id', 't.account')
    .innerJoin('token_families as f', 'f.id', 't.family')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.account', '=', 't.account').onRef('m.user_id', '=', 't.user_id'),
    )
    .select([
      't.family',
      't.expires_at',
      'f.last_used_at',
      't.account',
      't.user_id',
      'u.email',
      'a.is_suspended',
      roleIn('t.account'),
    ])
    .where('t.hash', '=', $.hash)
    .where('t.expires_at', '>', $.now),
);

const sessionByHash = prepared<{ hash: string }>()((db, $) =>
  db
    .selectFrom('token_families as f')
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .innerJoin('accounts as a', 'a.id', 'f.account')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.account', '=', 'f.account').onRef('m.user_id', '=', 'f.user_id'),
    )
    .selectAll('f')
    .select(['u.email', 'a.is_suspended', roleIn('f.account')])
    .where('f.refresh_hash', '=', $.hash),
);

const sessionByReplacedHash = prepared<{ hash: string }>()((db, $) =>
  db
    .selectFrom('replaced_refresh_tokens as r')
    .innerJoin('token_families as f', 'f.id', 'r.family')
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .innerJoin('accounts as a', 'a.id', 'f.account')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.account', '=', 'f.account').onRef('m.user_id', '=', 'f.user_id'),
    )
    .selectAll('f')
    .select(['r.hash', 'r.next_hash', 'r.seed', 'r.replaced_at', 'u.email', 'a.is_suspended', roleIn('f.account')])
    .where('r.hash', '=', $.hash),
);

export const tokenReads = (session: Session) => ({
  /** Called on every request. Expired tokens are not found. */
  async accessByHash(hash: string, now: number): Promise<TokenBearer | undefined> {
    const row = await session.first(accessByHash, { hash, now });
    const bearer = row && toBearer(row);
    return bearer && { ...bearer, session: row.family, expiresAt: row.expires_at, lastUsedAt: row.last_used_at };
  },

  async sessionByRefreshHash(hash: string): Promise<SessionBearer | undefined> {
    const row = await session.first(sessionByHash, { hash });
    const bearer = row && toBearer(row);
    return bearer && { ...bearer, session: toSession(row) };
  },

  async sessionByReplacedHash(hash: string): Promise<ReplacedBearer | undefined> {
    const row = await session.first(sessionByReplacedHash, { hash });
    const bearer = row && toBearer(row);
    if (!bearer) return undefined;
    const replaced = { hash: row.hash, nextHash: row.next_hash, seed: row.seed, replacedAt: row.replaced_at };
    return { ...bearer, session: toSession(row), replaced };
  },

  /** Sessions of a user, newest first, with the expiry of the last access token. */
  async sessions(account: AccountId, user: UserId): Promise<readonly OpenSession[]> {
    const query = session.db
      .selectFrom('token_families as f')
      .leftJoin('access_tokens as t', 't.family', 'f.id')
      .selectAll('f')
      .select(({ fn }) => fn.max('t.expires_at').as('expires_at'))
      .where('f.account', '=', account)
      .where('f.user_id', '=', user)
      .groupBy('f.id')
      .orderBy('f.created_at', 'desc')
      .orderBy('f.id');
    const rows = await session.ask(account, query);
    // A sum over no rows is null, and PostgreSQL returns large numbers as text.
    return rows.map((row) => ({
      ...toSession(row),
      expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    }));
  },
});

export const tokenWrites = (session: Session) => ({
  async addSession(added: UserSession): Promise<Result<void, Conflict>> {
    const insert = session.db.insertInto('token_families').values({
      id: added.id,
      account: added.account,
      user_id: added.user,
      refresh_hash: added.refreshHash,
      created_at: added.createdAt,
      last_used_at: added.lastUsedAt,
      rotates: bit(added.rotates),
      user_agent: added.userAgent ?? null,
      address: added.address ?? null,
    });
    return conflictUnless(
      await session.change(
        added.account,
        insert.onConflict((on) => on.doNothing()),
      ),
      'hash',
    );
  },

  /** False if a concurrent request has replaced the token. From the first rotation on, the session rotates. */
  async rotate(account: AccountId, family: string, token: ReplacedRefreshToken): Promise<boolean> {
    const { hash, nextHash, seed, replacedAt } = token;
    const update = session.db
      .updateTable('token_families')
      .set({ refresh_hash: nextHash, rotates: 1 })
      .where('account', '=', account)
      .where('id', '=', family)
      .where('refresh_hash', '=', hash);
    if ((await session.change(account, update)) === 0) return false;
    const row = { hash, family, account, next_hash: nextHash, seed, replaced_at: replacedAt };
    await session.change(account, session.db.insertInto('replaced_refresh_tokens').values(row));
    const latest = session.db
      .selectFrom('replaced_refresh_tokens')
      .select('hash')
      .where('family', '=', family)
      .orderBy('replaced_at', 'desc')
      .orderBy('hash')
      .limit(MAX_REPLACED);
    const older = session.db.deleteFrom('replaced_refresh_tokens').where('family', '=', family);
    await session.change(account, older.where('hash', 'not in', latest));
    return true;
  },

  /** Counts as a use of the session. */
  async addAccess(token: AccessToken, now: number): Promise<Result<void, Conflict>> {
    const { hash, session: family, account, user, expiresAt } = token;
    const insert = session.db
      .insertInto('access_tokens')
      .values({ hash, family, account, user_id: user, expires_at: expiresAt })
      .onConflict((on) => on.doNothing());
    const added = await session.change(account, insert);
    const used = session.db.updateTable('token_families').set({ last_used_at: now }).where('id', '=', family);
    await session.change(account, used.where('account', '=', account));
    return conflictUnless(added, 'hash');
  },

  /** With its access tokens. */
  async removeSession(account: AccountId, id: string): Promise<boolean> {
    const remove = session.db.deleteFrom('token_families').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove)) > 0;
  },

  /** In all accounts of this member. */
  async removeOfUser(member: AccountId, user: UserId): Promise<void> {
    if (!(await belongsTo(session, member, user))) return;
    const families = session.db.selectFrom('token_families').select('account').distinct().where('user_id', '=', user);
    for (const { account } of await session.ask('unscoped', families)) {
      const remove = session.db.deleteFrom('token_families').where('account', '=', account).where('user_id', '=', user);
      await session.change(account as AccountId, remove);
    }
  },

  /** Deletes expired access tokens, unused refresh tokens, and sessions of pages last used before the given times. */
  async expire(
    now: number,
    { pages, persistent }: { readonly pages: number; readonly persistent: number },
  ): Promise<void> {
    await session.change('unscoped', session.db.deleteFrom('access_tokens').where('expires_at', '<=', now));
    for (const [prefix, usedBefore] of [
      [PAGE_SESSION_PREFIX, pages],
      [PERSISTENT_SESSION_PREFIX, persistent],
    ] as const) {
      const idle = session.db.deleteFrom('token_families').where('last_used_at', '<', usedBefore);
      await session.change('unscoped', idle.where('id', 'like', `${prefix}%`));
    }
    const unused = session.db.deleteFrom('token_families').where('last_used_at', '<=', now - REFRESH_IDLE_MS);
    await session.change('unscoped', unused);
  },
});

/** Unscoped and without a change notification. */
export async function recordSessionUses(session: Session, used: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, at] of used) {
    // Another server may have stored a later use.
    const update = session.db.updateTable('token_families').set({ last_used_at: at }).where('last_used_at', '<', at);
    await session.change('unscoped', update.where('id', '=', id));
  }
}

const toSession = (row: FamilyRow): UserSession => ({
  id: row.id,
  account: row.account as AccountId,
  user: row.user_id as UserId,
  refreshHash: row.refresh_hash,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  rotates: row.rotates === 1,
  userAgent: row.user_agent ?? undefined,
  address: row.address ?? undefined,
});
