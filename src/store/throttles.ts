import type { LoginThrottle } from '../domain/login-throttle.ts';
import { prepared } from './database.ts';
import type { Session } from './transaction-session.ts';

const byId = prepared<{ id: string }>()((db, $) => db.selectFrom('brakes').selectAll().where('id', '=', $.id));

export const throttleReads = (session: Session) => ({
  async get(id: string): Promise<LoginThrottle | undefined> {
    // Parallel attempts are all counted.
    await session.lock(`throttle ${id}`);
    const row = await session.first(byId, { id });
    return row && { failures: row.failures, lastFailureAt: row.last_failure_at };
  },
});

/** Failed attempts per address and account; stored, so that a restart does not reset them. */
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

  /** Deletes entries whose last failure was before this time. */
  async expire(before: number): Promise<void> {
    await session.change('unscoped', session.db.deleteFrom('brakes').where('last_failure_at', '<', before));
  },
});
