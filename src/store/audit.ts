import { sql } from 'kysely';
import type { AuditEntry } from '../domain/audit.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Session } from './session.ts';
import type { AuditRow } from './tables.ts';

export type AuditPage = { readonly before?: Pick<AuditEntry, 'at' | 'id'> | undefined; readonly limit: number };

export const auditReads = (session: Session) => ({
  /** Newest first. */
  async list(account: AccountId, { before, limit }: AuditPage): Promise<readonly AuditEntry[]> {
    const all = session.db.selectFrom('audit').selectAll().where('account', '=', account);
    const older = before ? all.where(sql<boolean>`(at, id) < (${before.at}, ${before.id})`) : all;
    return (await session.ask(account, older.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit))).map(toEntry);
  },
});

export const auditWrites = (session: Session) => ({
  async add(entry: AuditEntry): Promise<void> {
    await session.change(entry.account, session.db.insertInto('audit').values(toRow(entry)));
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
