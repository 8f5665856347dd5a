import { sql } from 'kysely';
import type { AuditEntry } from '../domain/audit.ts';
import type { AccountId } from '../domain/ids.ts';
import type { AuditPage } from '../domain/repositories.ts';
import { one, prepared } from './database.ts';
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

const latestIn = prepared<{ account: AccountId; from: number; to: number }>()((db, $) =>
  db
    .selectFrom('audit')
    .select('at')
    .where('account', '=', $.account)
    .where('at', '>=', $.from)
    .where('at', '<', $.to)
    .orderBy('at', 'desc')
    .limit(one),
);

const insert = prepared<AuditRow>()((db, $) =>
  db.insertInto('audit').values({
    id: $.id,
    account: $.account,
    at: $.at,
    actor: $.actor,
    origin: $.origin,
    action: $.action,
    subject: $.subject,
    before: $.before,
    after: $.after,
  }),
);

export const auditWrites = (session: Session) => ({
  /** Entries of the same millisecond are moved apart, so that they are read in the order in which they were written. */
  async add(entry: AuditEntry): Promise<void> {
    const burst = { account: entry.account, from: entry.at, to: entry.at + BURST_MILLISECONDS };
    const latest = await session.first(latestIn, burst);
    await session.changeBy(entry.account, insert, toRow({ ...entry, at: latest ? latest.at + 1 : entry.at }));
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
