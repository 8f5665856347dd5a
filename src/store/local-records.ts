import type { AccountId, ProfileId } from '../domain/ids.ts';
import type { LocalRecord, LocalRecordType } from '../domain/local-records.ts';
import type { LocalRecordRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

const ROWS_AT_ONCE = 100;

export const localRecordReads = (session: Session) => ({
  /** Sorted by name. */
  async list(account: AccountId): Promise<readonly LocalRecord[]> {
    const query = session.db.selectFrom('local_records').selectAll().where('account', '=', account);
    return (await session.ask(account, query.orderBy('name').orderBy('id'))).map(toLocalRecord);
  },
});

export const localRecordWrites = (session: Session) => ({
  async add(account: AccountId, records: readonly LocalRecord[]): Promise<void> {
    for (let at = 0; at < records.length; at += ROWS_AT_ONCE) {
      const rows = records.slice(at, at + ROWS_AT_ONCE).map(toRow);
      await session.change(account, session.db.insertInto('local_records').values(rows));
    }
  },

  async update(record: LocalRecord): Promise<boolean> {
    const { id, account, ...columns } = toRow(record);
    const update = session.db.updateTable('local_records').set(columns).where('account', '=', account);
    return (await session.change(record.account, update.where('id', '=', id))) > 0;
  },

  async remove(account: AccountId, id: string): Promise<boolean> {
    const remove = session.db.deleteFrom('local_records').where('account', '=', account).where('id', '=', id);
    return (await session.change(account, remove)) > 0;
  },
});

const toRow = ({ id, account, profile, name, type, value, ttlSeconds }: LocalRecord): LocalRecordRow => ({
  id,
  account,
  profile: profile ?? null,
  name,
  type,
  value,
  ttl: ttlSeconds ?? null,
});

export const toLocalRecord = (row: LocalRecordRow): LocalRecord => ({
  id: row.id,
  account: row.account as AccountId,
  profile: (row.profile ?? undefined) as ProfileId | undefined,
  name: row.name,
  type: row.type as LocalRecordType,
  value: row.value,
  ttlSeconds: row.ttl ?? undefined,
});
