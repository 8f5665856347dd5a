import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import {
  copyToPostgres,
  FIXTURE_NOW,
  fixtureFormats,
  fixtureRecords,
  unpackFixture,
} from '../../test/support/query-log/format-fixtures.ts';
import { allPages, temporaryFolder } from '../../test/support/query-log/logs.ts';
import { plainLog } from '../../test/support/query-log/plain-log.ts';
import { newPostgresDatabase } from '../../test/support/store/postgres.ts';
import type { LogQuery } from '../domain/log-query.ts';
import { FORMAT } from './backends/log-backend.ts';
import { POSTGRES_FORMAT } from './backends/postgres-backend.ts';
import { LogError, type LogStore } from './log-store.ts';
import { openLog } from './open-log.ts';

const environment = {
  now: () => FIXTURE_NOW,
  onProblem: (problem: unknown): never => {
    throw problem;
  },
};
const everything: LogQuery = { from: 0, to: 8e15, limit: 500 };
const queries: readonly LogQuery[] = [
  everything,
  { ...everything, devices: ['printer'] },
  { ...everything, devices: ['device-1'], countries: ['DE'], statuses: ['REQUEST_BLOCKED'] },
  { ...everything, companies: ['akamai'], search: 'name-5' },
  { ...everything, search: 'b\u00fccher-"1"' },
];
const { flushed, unflushed, busy } = fixtureRecords();
const records = [...flushed, ...unflushed, ...busy];

async function checkContent(log: LogStore): Promise<void> {
  const expected = plainLog(records, FIXTURE_NOW);
  const day = { from: FIXTURE_NOW - 86_400_000, to: FIXTURE_NOW };
  for (const account of ['home', 'office', 'busy']) {
    for (const query of queries)
      assert.deepEqual(await allPages(log, account, query), expected.rows(account, query), JSON.stringify(query));
    assert.deepEqual(await log.statistics.domains(account, day), expected.domains(account, day));
    assert.deepEqual(await log.statistics.devices(account, day), expected.devices(account, day));
    const count = records.filter((record) => record.account === account).length;
    assert.equal(await log.requestsSince(account, 0), count);
  }
}

async function upgraded(log: LogStore): Promise<void> {
  while ((await log.health()).outdatedSegments > 0) await setTimeout(20);
}

/** Opens a log of the format; undefined without PostgreSQL. */
type OpenFixture = (t: TestContext, format: number) => Promise<(() => Promise<LogStore>) | undefined>;
const databases: Readonly<Record<string, OpenFixture>> = {
  SQLite: async (t, format) => {
    const folder = await temporaryFolder(t);
    unpackFixture(format, folder);
    return () => openLog({ folder }, environment);
  },
  PostgreSQL: async (t, format) => {
    const url = await newPostgresDatabase();
    if (url === undefined) return undefined;
    const folder = await temporaryFolder(t);
    unpackFixture(format, folder);
    await copyToPostgres(format, folder, url);
    return () => openLog({ postgres: url }, environment);
  },
};

test('there is a stored log of every format from 2 to the current one', () => {
  assert.deepEqual(
    [...fixtureFormats()].sort((one, other) => one - other),
    Array.from({ length: FORMAT - 1 }, (_, index) => index + 2),
  );
});

for (const [database, openFixture] of Object.entries(databases))
  for (const format of fixtureFormats())
    test(`a log of format ${format} is read, written to and upgraded in place (${database})`, async (t) => {
      const open = await openFixture(t, format);
      if (!open) return t.skip('there is no PostgreSQL here');
      let log = await open();
      t.after(() => log.close().catch(() => undefined));
      await checkContent(log);
      await upgraded(log);
      await checkContent(log);
      await log.close();
      log = await open();
      assert.deepEqual(await log.health(), { outdatedSegments: 0 });
      await checkContent(log);
      const added = { ...flushed[0]!, time: FIXTURE_NOW - 1, domain: 'new.example' };
      await log.append([added]);
      assert.deepEqual((await log.page('home', { ...everything, limit: 1 })).items, [added]);
    });

test('rows are read correctly before the upgrade and when it was interrupted after each segment', async (t) => {
  const folder = await temporaryFolder(t);
  unpackFixture(2, folder);
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    const log = await openLog({ folder }, environment);
    await checkContent(log);
    left = (await log.health()).outdatedSegments;
    await log.close();
  }
  const file = new DatabaseSync(join(folder, 'log-2026-11-12.db'));
  t.after(() => file.close());
  assert.equal(file.prepare('PRAGMA user_version').get()!['user_version'], FORMAT);
});

const isNewer = (error: unknown): boolean => error instanceof LogError && error.kind === 'newer format';

test('a log of a newer format is refused and left unchanged (SQLite)', async (t) => {
  const folder = await temporaryFolder(t);
  unpackFixture(FORMAT, folder);
  for (const name of readdirSync(folder)) {
    const file = new DatabaseSync(join(folder, name));
    file.exec(`PRAGMA user_version = ${FORMAT + 1}`);
    file.close();
  }
  const content = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
    );
  const before = content();
  await assert.rejects(openLog({ folder }, environment), isNewer);
  assert.deepEqual(content(), before);
});

test('a log of a newer format is refused and left unchanged (PostgreSQL)', async (t) => {
  const url = await newPostgresDatabase();
  if (url === undefined) return t.skip('there is no PostgreSQL here');
  await (await openLog({ postgres: url }, environment)).close();
  const client = new pg.Client(url);
  await client.connect();
  t.after(() => client.end());
  await client.query(`COMMENT ON TABLE log_blocks IS 'format ${POSTGRES_FORMAT + 1}'`);
  await assert.rejects(openLog({ postgres: url }, environment), isNewer);
  const { rows } = await client.query("SELECT obj_description('log_blocks'::regclass, 'pg_class') AS note");
  assert.deepEqual(rows, [{ note: `format ${POSTGRES_FORMAT + 1}` }]);
});
