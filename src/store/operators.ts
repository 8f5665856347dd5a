import type { UserId } from '../domain/ids.ts';
import type { Session } from './transaction-session.ts';

export const operatorReads = (session: Session) => ({
  /** The user recorded for a value of the setting `operator`. The user may have been deleted since. */
  async find(setting: string): Promise<UserId | undefined> {
    const query = session.db.selectFrom('operators').select('user_id').where('setting', '=', setting);
    return (await session.ask('unscoped', query))[0]?.user_id as UserId | undefined;
  },
});

export const operatorWrites = (session: Session) => ({
  /** Replaces an earlier record for the same setting. */
  async record(setting: string, user: UserId, now: number): Promise<void> {
    const columns = { user_id: user, recorded_at: now };
    const insert = session.db.insertInto('operators').values({ setting, ...columns });
    await session.change(
      'unscoped',
      insert.onConflict((on) => on.column('setting').doUpdateSet(columns)),
    );
  },
});
