import type { LoginThrottle } from '../domain/login-throttle.ts';
import { prepared } from './database.ts';
import type { Session } from './transaction-session.ts';

const byId = prepared<{ id: string }>()((db, $) => db.selectFrom('brakes').selectAll().where('id', '=', $.id));

export const throttleReads = (session: Session) => ({
  async get(id: string): Promise<LoginThrottle | undefined> {
    // A hundred tries at once count as a hundred.
    await session.lock(`brake ${id}`);
    const row = await session.first(byId, { id });
    return row && { failures: row.failures, lastFailureAt: row.last_failure_at };
  },
});

/** How often signing in has failed, for each address and account; kept, so that a restart gives no new tries. */
export const throttleWrites = (session: Session) => ({
  async put(id: string, { failures, lastFailureAt }: LoginThrottle): Promise<void> {
    const columns = { failures, last_failure_at: lastFailureAt };
    const insert = session.db.insertInto('brakes').values({ id, ...columns });
    await session.change(
      'unscoped',
      insert.onConflict((on) => on.column('id').doUpdateSet(columns)),
    );
  },

  async remove(id: string): Promise<void> {
    await session.change('unscoped', session.db.deleteFrom('brakes').where('id', '=', id));
  },

  /** Those whose last failure was before this time. */
  async expire(before: number): Promise<void> {
    await session.change('unscoped', session.db.deleteFrom('brakes').where('last_failure_at', '<', before));
  },
});
