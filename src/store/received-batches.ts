import type { Session } from './transaction-session.ts';

export const receivedBatchReads = (session: Session) => ({
  async has(id: string): Promise<boolean> {
    const query = session.db.selectFrom('received_batches').select('id').where('id', '=', id);
    return (await session.ask('unscoped', query)).length > 0;
  },
});

export const receivedBatchWrites = (session: Session) => ({
  /** Deletes batches that were stored before `since`: a node does not send them again. */
  async add(id: string, { at, since }: { readonly at: number; readonly since: number }): Promise<void> {
    const insert = session.db.insertInto('received_batches').values({ id, stored_at: at });
    await session.change(
      'unscoped',
      insert.onConflict((on) => on.doNothing()),
    );
    await session.change('unscoped', session.db.deleteFrom('received_batches').where('stored_at', '<', since));
  },
});
