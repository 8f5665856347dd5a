import type { AccountId } from '../domain/ids.ts';
import { MAX_STORED_REPLIES, type StoredReply } from '../domain/stored-reply.ts';
import { prepared } from './database.ts';
import type { StoredReplyRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const byId = prepared<{ account: AccountId; id: string; since: number }>()((db, $) =>
  db
    .selectFrom('stored_replies')
    .selectAll()
    .where('account', '=', $.account)
    .where('id', '=', $.id)
    .where('created_at', '>', $.since),
);

export const storedReplyReads = (session: Session) => ({
  /** Undefined if it was stored before this time. In a transaction the account is locked, so that a parallel request waits. */
  async find(account: AccountId, id: string, since: number): Promise<StoredReply | undefined> {
    const row = await session.first(byId, { account, id, since });
    return row && toStoredReply(row);
  },
});

export const storedReplyWrites = (session: Session) => ({
  /** Replaces an expired one. Deletes the oldest of the account above the limit. */
  async put({ id, account, request, reply, createdAt }: StoredReply): Promise<void> {
    const columns = { request, body: reply.kind === 'json' ? reply.text : null, created_at: createdAt };
    const insert = session.db.insertInto('stored_replies').values({ id, account, ...columns });
    await session.change(
      account,
      insert.onConflict((on) => on.column('id').doUpdateSet(columns)),
    );
    const beyond = session.db
      .selectFrom('stored_replies')
      .select('id')
      .where('account', '=', account)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1000)
      .offset(MAX_STORED_REPLIES);
    await session.change(account, session.db.deleteFrom('stored_replies').where('id', 'in', beyond));
  },

  /** Deletes replies of all accounts that were stored before this time. */
  async expire(before: number): Promise<void> {
    await session.change('unscoped', session.db.deleteFrom('stored_replies').where('created_at', '<=', before));
  },
});

const toStoredReply = (row: StoredReplyRow): StoredReply => ({
  id: row.id,
  account: row.account as AccountId,
  request: row.request,
  reply: row.body === null ? { kind: 'withheld' } : { kind: 'json', text: row.body },
  createdAt: row.created_at,
});
