import type { NewSharedList, SharedList } from '../domain/shared-list.ts';
import type { Session } from './transaction-session.ts';

export const sharedListReads = (session: Session) => ({
  async all(): Promise<readonly SharedList[]> {
    return session.ask('unscoped', session.db.selectFrom('shared_lists').select(['id', 'source', 'version', 'checks']));
  },

  async text(version: string): Promise<{ readonly text: Uint8Array; readonly seen: string | null } | undefined> {
    const query = session.db.selectFrom('shared_lists').select(['text', 'seen']).where('version', '=', version);
    return (await session.ask('unscoped', query.limit(1)))[0];
  },
});

export const sharedListWrites = (session: Session) => ({
  async confirm(list: Pick<SharedList, 'id' | 'source' | 'version'>): Promise<boolean> {
    const update = session.db.updateTable('shared_lists').set((eb) => ({ checks: eb('checks', '+', 1) }));
    const same = update.where('id', '=', list.id).where('source', '=', list.source).where('version', '=', list.version);
    return (await session.change('unscoped', same)) > 0;
  },

  async put(list: NewSharedList): Promise<void> {
    const { id, ...columns } = list;
    const insert = session.db.insertInto('shared_lists').values({ id, ...columns, checks: 1 });
    await session.change(
      'unscoped',
      insert.onConflict((on) =>
        on.column('id').doUpdateSet((eb) => ({ ...columns, checks: eb('shared_lists.checks', '+', 1) })),
      ),
    );
  },

  async remove(id: string): Promise<void> {
    await session.change('unscoped', session.db.deleteFrom('shared_lists').where('id', '=', id));
  },
});
