import { setTimeout as sleep } from 'node:timers/promises';
import { unitRules } from '../../domain/statistics.ts';
import { MINUTE_MS } from '../../kit/durations.ts';
import { LogError } from '../log-store.ts';
import type { ClickhouseClient } from './client.ts';
import { NEVER_SECONDS, rollupTables } from './schema.ts';
import { quoted } from './sql.ts';

/** Minutes after which rows expire; null for never. */
type Retention = number | null;

/** Accounts per statement: the text of a statement is limited to 256 KiB. */
const MAX_ACCOUNTS = 4000;
const [FIRST_LOOK_MS, LONGEST_LOOK_MS, MAX_WAIT_MS] = [20, 2000, 600_000];

export const retentionOf = (cutoff: number, now: number): Retention =>
  cutoff <= 0 ? null : Math.max(0, Math.round((now - cutoff) / MINUTE_MS));

/** Second from which a row is hidden; ClickHouse deletes it some time later. */
export const expiresAt = (time: number, retention: Retention | undefined): number =>
  retention === null || retention === undefined
    ? NEVER_SECONDS
    : Math.min(NEVER_SECONDS, Math.max(0, Math.floor((time + retention * MINUTE_MS) / 1000) + 1));

const expiresSql = (retention: Retention): string =>
  retention === null
    ? `toDateTime(${NEVER_SECONDS}, 'UTC')`
    : `toDateTime(toUInt32(least(${NEVER_SECONDS}, intDiv(toUnixTimestamp64Milli(time) + ${retention * MINUTE_MS}, 1000) + 1)), 'UTC')`;

export async function readRetention({ select }: ClickhouseClient): Promise<Map<string, Retention>> {
  return new Map(await select<[string, Retention]>('SELECT account, minutes FROM retention FINAL'));
}

/** Accounts with rows of another retention, inserted by a process that did not know the current one. */
export async function accountsWithOtherRetention(
  { select }: ClickhouseClient,
  wanted: ReadonlyMap<string, Retention>,
): Promise<ReadonlySet<string>> {
  const seconds = 'toUnixTimestamp(expires) - intDiv(toUnixTimestamp64Milli(time), 1000) - 1';
  const found = await select<[string, Retention]>(
    `SELECT DISTINCT account, if(toUnixTimestamp(expires) = ${NEVER_SECONDS}, NULL, intDiv(${seconds}, 60)) FROM queries`,
  );
  return new Set(found.filter(([account, minutes]) => wanted.get(account) !== minutes).map(([account]) => account));
}

/** Applies the new retention of accounts to stored rows. */
export async function changeRetention(
  client: ClickhouseClient,
  changed: ReadonlyMap<string, Retention>,
): Promise<void> {
  for (const [retention, entries] of Map.groupBy(changed, ([, minutes]) => minutes)) {
    const accounts = entries.map(([account]) => account);
    for (let from = 0; from < accounts.length; from += MAX_ACCOUNTS) {
      const some = accounts.slice(from, from + MAX_ACCOUNTS);
      await client.run(
        `ALTER TABLE queries UPDATE expires = ${expiresSql(retention)} WHERE account IN (${some.map(quoted).join(', ')})`,
      );
      const values = some.map((account) => `(${quoted(account)}, ${retention ?? 'NULL'})`);
      await client.run(`INSERT INTO retention (account, minutes) VALUES ${values.join(', ')}`);
    }
  }
  if (changed.size > 0) await mutationsDone(client, 'queries');
}

/** The end of a partition by its name: a year, a month or a day. */
function partitionEnd(name: string): number {
  const [, year, month, day] = /^'?(\d{4})-?(\d{2})?-?(\d{2})?'?$/.exec(name) ?? [];
  if (day !== undefined) return Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
  return month === undefined ? Date.UTC(Number(year) + 1, 0) : Date.UTC(Number(year), Number(month));
}

const keptMs = new Map<string, number>([
  [rollupTables.minute, unitRules.minute.keptMs],
  [rollupTables.hour, unitRules.hour.keptMs],
  [rollupTables.day, unitRules.day.keptMs],
  ['requests', unitRules.day.keptMs],
]);

/** Drops partitions of counts that have all expired. */
export async function dropExpiredCounts({ select, run }: ClickhouseClient, now: number): Promise<void> {
  const partitions = await select<[table: string, name: string]>(
    'SELECT DISTINCT table, partition FROM system.parts WHERE database = currentDatabase() AND active',
  );
  for (const [table, name] of partitions)
    if (partitionEnd(name) < now - (keptMs.get(table) ?? Number.POSITIVE_INFINITY))
      await run(`ALTER TABLE ${table} DROP PARTITION ${name.includes('-') ? quoted(name) : name}`);
}

/** Deletes all rows of the account in the tables. They are invisible when this resolves, and on disk until the next merge of their part. */
export async function deleteRows(client: ClickhouseClient, tables: readonly string[], account: string): Promise<void> {
  for (const table of tables)
    await client.run(`DELETE FROM ${table} WHERE account = ${quoted(account)} SETTINGS lightweight_deletes_sync = 0`);
  for (const table of tables) await mutationsDone(client, table);
}

/** ClickHouse changes stored rows in the background. */
async function mutationsDone({ select }: ClickhouseClient, table: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LONGEST_LOOK_MS, waitMs * 2)) {
    const [[left, reason] = [0, '']] = await select<[number, string]>(
      `SELECT count(), max(latest_fail_reason) FROM system.mutations WHERE database = currentDatabase() AND table = ${quoted(table)} AND NOT is_done`,
    );
    if (left === 0) return;
    if (reason !== '' || performance.now() > deadline)
      throw new LogError('unavailable', new Error(`ClickHouse has not changed all rows of ${table}: ${reason}`));
    await sleep(waitMs);
  }
}
