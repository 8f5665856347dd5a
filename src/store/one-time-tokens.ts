import type { OneTimeToken } from '../domain/one-time-token.ts';
import { prepared } from './database.ts';
import type { Session } from './transaction-session.ts';

const SET_UP = 'set-up';

const byHash = prepared<{ kind: string; hash: string; now: number }>()((db, $) =>
  db
    .selectFrom('tickets')
    .select('content')
    .where('hash', '=', $.hash)
    .where('kind', '=', $.kind)
    .where('expires_at', '>', $.now),
);

export const oneTimeTokenReads = (session: Session) => ({
  /** Reads the token without consuming it. */
  async peek(kind: string, hash: string, now: number): Promise<{ readonly content: unknown } | undefined> {
    const row = await session.first(byHash, { kind, hash, now });
    return row && { content: JSON.parse(row.content) as unknown };
  },
});

export const oneTimeTokenWrites = (session: Session) => {
  const put = async ({ kind, hash, content, expiresAt }: OneTimeToken): Promise<void> => {
    const row = { hash, kind, content: JSON.stringify(content ?? null), expires_at: expiresAt };
    await session.change('unscoped', session.db.insertInto('tickets').values(row));
  };
  /** Only one of two concurrent calls succeeds. */
  const take = async (kind: string, hash: string, now: number): Promise<{ readonly content: unknown } | undefined> => {
    const remove = session.db.deleteFrom('tickets').where('hash', '=', hash).where('kind', '=', kind);
    const [row] = await session.ask('unscoped', remove.returningAll());
    return row && row.expires_at > now ? { content: JSON.parse(row.content) as unknown } : undefined;
  };
  return {
    put,
    take,
    async expire(now: number): Promise<void> {
      await session.change('unscoped', session.db.deleteFrom('tickets').where('expires_at', '<=', now));
    },
    setUp: {
      /** Invalidates the previous one. */
      async put(hash: string, expiresAt: number): Promise<void> {
        await session.change('unscoped', session.db.deleteFrom('tickets').where('kind', '=', SET_UP));
        await put({ kind: SET_UP, hash, content: null, expiresAt });
      },
      take: async (hash: string, now: number): Promise<boolean> => (await take(SET_UP, hash, now)) !== undefined,
    },
  };
};
