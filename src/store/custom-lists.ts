import type { CustomList, CustomSource } from '../domain/custom-list.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Conflict } from '../domain/store-error.ts';
import type { Result } from '../kit/result.ts';
import { conflictUnless } from './rows.ts';
import type { CustomListRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

export const customListReads = (session: Session) => ({
  /** Oldest first. */
  async list(account: AccountId): Promise<readonly CustomList[]> {
    const query = session.db.selectFrom('custom_lists').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('created_at').orderBy('id'))).map(toCustomList);
  },

  async find(account: AccountId, id: string): Promise<CustomList | undefined> {
    const query = session.db.selectFrom('custom_lists').selectAll().where('account', '=', account).where('id', '=', id);
    const [row] = await session.ask(account, query);
    return row && toCustomList(row);
  },
});

export const customListWrites = (session: Session) => ({
  async add(list: CustomList): Promise<Result<void, Conflict>> {
    const insert = session.db
      .insertInto('custom_lists')
      .values(toRow(list))
      .onConflict((on) => on.doNothing());
    return conflictUnless(await session.change(list.account, insert), 'id');
  },

  async update(list: CustomList): Promise<boolean> {
    const { id, account, ...columns } = toRow(list);
    const update = session.db.updateTable('custom_lists').set(columns).where('account', '=', account);
    return (await session.change(list.account, update.where('id', '=', id))) > 0;
  },

  async remove(account: AccountId, id: string): Promise<boolean> {
    const remove = session.db.deleteFrom('custom_lists').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove)) > 0;
  },
});

const toRow = ({ id, account, name, source, createdAt }: CustomList): CustomListRow => ({
  id,
  account,
  name,
  source: JSON.stringify(source),
  created_at: createdAt,
});

export const toCustomList = (row: CustomListRow): CustomList => ({
  id: row.id,
  account: row.account as AccountId,
  name: row.name,
  source: JSON.parse(row.source) as CustomSource,
  createdAt: row.created_at,
});
