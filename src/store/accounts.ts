import type { Account } from '../domain/account.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { AccountId, UserId } from '../domain/ids.ts';
import { removedKind, removedWhats } from '../domain/one-time-token.ts';
import type { Counts, NewAccount } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, type Result } from '../kit/result.ts';
import { auditWrites } from './audit.ts';
import { prepared } from './database.ts';
import { moveToNextAccount } from './memberships.ts';
import { operatorWrites } from './operators.ts';
import { profileWrites } from './profiles.ts';
import { bit } from './rows.ts';
import { type AccountRow, tablesOfAccount } from './tables.ts';
import type { Session } from './transaction-session.ts';
import { userWrites } from './users.ts';

const ACCOUNT_DELETED = 'account.delete';

const byId = prepared<{ account: AccountId }>()((db, $) =>
  db.selectFrom('accounts').selectAll().where('id', '=', $.account),
);

const countsOf = prepared<{ account: AccountId }>()((db, $) =>
  db.selectNoFrom((eb) => {
    const profiles = eb.selectFrom('profiles').where('account', '=', $.account);
    return [
      eb.selectFrom('devices').where('account', '=', $.account).select(eb.fn.countAll<number>().as('n')).as('devices'),
      profiles.select(eb.fn.countAll<number>().as('n')).as('dnsServers'),
      profiles.select((of) => of.fn.coalesce(of.fn.sum<number>('user_rules'), of.lit(0)).as('n')).as('userRules'),
      profiles.select((of) => of.fn.coalesce(of.fn.sum<number>('access_rules'), of.lit(0)).as('n')).as('accessRules'),
      eb
        .selectFrom('dedicated_addresses')
        .where('account', '=', $.account)
        .select(eb.fn.countAll<number>().as('n'))
        .as('dedicatedIpv4'),
    ];
  }),
);

export const accountReads = (session: Session) => ({
  async find(account: AccountId): Promise<Account | undefined> {
    const row = await session.first(byId, { account });
    return row && toAccount(row);
  },

  /** Sorted by id, starting after the given one. */
  async list({ after = '', limit = 1000 }: { after?: string; limit?: number } = {}): Promise<readonly Account[]> {
    const query = session.db.selectFrom('accounts').selectAll().where('id', '>', after).orderBy('id').limit(limit);
    return (await session.ask('unscoped', query)).map(toAccount);
  },

  async count(): Promise<number> {
    const query = session.db.selectFrom('accounts').select((eb) => eb.fn.countAll<number>().as('n'));
    return (await session.ask('unscoped', query))[0]!.n;
  },

  /** Deleted accounts, of which only the audit entry of the deletion remains. */
  async deleted(): Promise<readonly AccountId[]> {
    const query = session.db.selectFrom('audit').select('account').where('action', '=', ACCOUNT_DELETED);
    return (await session.ask('unscoped', query)).map(({ account }) => account as AccountId);
  },

  async counts(account: AccountId): Promise<Counts> {
    return (await session.first(countsOf, { account })) as Counts;
  },
});

export const accountWrites = (session: Session) => ({
  /** With its owner and its default profile. The owner of the first account is recorded as the operator. */
  async create({ account, owner, profile }: NewAccount): Promise<Result<void, Conflict>> {
    const insert = session.db
      .insertInto('accounts')
      .values(toRow(account))
      .onConflict((on) => on.doNothing());
    if ((await session.change(account.id, insert)) === 0) return err({ kind: 'conflict', what: 'id' });
    const added = await userWrites(session).add(owner);
    const created = added.ok ? await profileWrites(session).add(profile) : added;
    if (!created.ok) await removeRows(session, account.id);
    else if ((await accountReads(session).count()) === 1)
      await operatorWrites(session).record('first', owner.id, account.createdAt);
    return created;
  },

  async update(account: Account): Promise<boolean> {
    const { id, ...columns } = toRow(account);
    return (await session.change(account.id, session.db.updateTable('accounts').set(columns).where('id', '=', id))) > 0;
  },

  /** Deletes everything that belongs to the account, including its audit. One audit entry with the id of the account remains. */
  async remove(account: AccountId, by: Pick<AuditEntry, 'id' | 'at' | 'by'>): Promise<boolean> {
    const found = await removeRows(session, account);
    const rest = { from: undefined, subject: undefined, before: undefined, after: undefined };
    if (found) await auditWrites(session).add({ ...by, ...rest, account, action: ACCOUNT_DELETED });
    return found;
  },
});

async function removeRows(session: Session, account: AccountId): Promise<boolean> {
  // Users who also belong to other accounts stay there.
  const users = session.db.selectFrom('users').select('id').where('account', '=', account);
  for (const { id } of await session.ask(account, users)) await moveToNextAccount(session, account, id as UserId);
  for (const table of tablesOfAccount.toReversed()) {
    await session.change(account, session.db.deleteFrom(table).where('account', '=', account));
  }
  const restorable = removedWhats.map((what) => removedKind(what, account));
  await session.change(account, session.db.deleteFrom('tickets').where('kind', 'in', restorable));
  return (await session.change(account, session.db.deleteFrom('accounts').where('id', '=', account))) > 0;
}

const toRow = (account: Account): AccountRow => ({
  id: account.id,
  created_at: account.createdAt,
  plan: account.plan,
  limit_overrides: JSON.stringify(account.limitOverrides),
  time_zone: account.timeZone,
  log_retention_days: account.logRetentionDays,
  log_enabled: bit(account.logEnabled),
  is_suspended: bit(account.isSuspended),
});

const toAccount = (row: AccountRow): Account => ({
  id: row.id as AccountId,
  createdAt: row.created_at,
  plan: row.plan,
  limitOverrides: JSON.parse(row.limit_overrides) as Account['limitOverrides'],
  timeZone: row.time_zone,
  logRetentionDays: row.log_retention_days,
  logEnabled: row.log_enabled === 1,
  isSuspended: row.is_suspended === 1,
});
