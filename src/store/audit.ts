import { sql } from 'kysely';
import type { AuditEntry } from '../domain/audit.ts';
import type { AccountId } from '../domain/ids.ts';
import type { AuditPage } from '../domain/repositories.ts';
import type { AuditRow } from './tables.ts';
import type { Session } from './transaction-session.ts';

export const auditReads = (session: Session) => ({
  /** Newest first. */
  async list(account: AccountId, { before, limit }: AuditPage): Promise<readonly AuditEntry[]> {
    const all = session.db.selectFrom('audit').selectAll().where('account', '=', account);
    const older = before ? all.where(sql<boolean>`(at, id) < (${before.at}, ${before.id})`) : all;
    return (await session.ask(account, older.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit))).map(toEntry);
  },
});

// Longer than a burst of changes, but short enough to accept a clock that was set back.
const BURST_MILLISECONDS = 1000;

export const auditWrites = (session: Session) => ({
  /** Entries of the same millisecond are moved apart, so that they are read in the order in which they were written. */
  async add(entry: AuditEntry): Promise<void> {
    const [latest] = await session.ask(
      entry.account,
      session.db
        .selectFrom('audit')
        .select('at')
        .where('account', '=', entry.account)
        .where('at', '>=', entry.at)
        .where('at', '<', entry.at + BURST_MILLISECONDS)
        .orderBy('at', 'desc')
        .limit(1),
    );
    const row = toRow({ ...entry, at: latest ? latest.at + 1 : entry.at });
    await session.change(entry.account, session.db.insertInto('audit').values(row));
  },
});

const toRow = (entry: AuditEntry): AuditRow => ({
  id: entry.id,
  account: entry.account,
  at: entry.at,
  actor: entry.by,
  origin: entry.from ?? null,
  action: entry.action,
  subject: entry.subject ?? null,
  before: toJson(entry.before),
  after: toJson(entry.after),
});

const toEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  account: row.account as AccountId,
  at: row.at,
  by: row.actor,
  from: row.origin ?? undefined,
  action: row.action,
  subject: row.subject ?? undefined,
  before: fromJson(row.before),
  after: fromJson(row.after),
});

const toJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
const fromJson = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));
