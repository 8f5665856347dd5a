import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { allPages, aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { plainLog } from '../../../test/support/query-log/plain-log.ts';
import { newPostgresDatabase } from '../../../test/support/store/postgres.ts';
import { type LogQuery, parseLogCursor } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { openLog } from '../open-log.ts';
import { bucketOf } from '../segments/shared-rows.ts';

const everything: LogQuery = { from: 0, to: NOW, limit: 1000 };
const day = { from: NOW - 86_400_000, to: NOW };

const failing = (problem: unknown): never => {
  throw problem;
};

async function opened(t: TestContext, different: Partial<Parameters<typeof openLog>[1]> = {}) {
  const url = await newPostgresDatabase();
  if (url === undefined) return undefined;
  const client = new pg.Client(url);
  await client.connect();
  t.after(() => client.end());
  const open = async () => {
    const log = await openLog({ postgres: url }, { now: () => NOW, onProblem: failing, ...different });
    t.after(() => log.close());
    return log;
  };
  const number = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]['value']);
  return { open, client, number };
}

test('quiet accounts share table rows, which every node reads and clears', async (t) => {
  const database = await opened(t);
  if (!database) return t.skip('there is no PostgreSQL here');
  const { number } = database;
  const first = await database.open();
  // As an earlier version left it.
  await database.client.query('ALTER TABLE log_shared ALTER body SET COMPRESSION pglz');
  const nodes = [first, await database.open()] as const;
  const lz4Columns = `SELECT count(*) AS value FROM pg_attribute
    WHERE attrelid = 'log_shared'::regclass AND attcompression = 'l'`;
  assert.equal(await number(lz4Columns), 3);
  const rows = Array.from({ length: 400 }, (_, row) =>
    // Many rows in one millisecond: their order must not change between pages.
    aRecord({ account: `account-${row % 80}`, domain: `name-${row}.example`, time: NOW - (row % 2) }),
  );
  await nodes[0].append(rows.slice(0, 200));
  await nodes[1].append(rows.slice(200));
  assert.equal(await number('SELECT count(*) AS value FROM log_blocks'), 0);
  assert.ok((await number('SELECT count(*) AS value FROM log_shared')) <= 8);
  assert.equal((await nodes[1].accounts()).length, 80);

  const [read, cleared, deleted] = rows
    .map(({ account }) => account)
    .filter((account) => bucketOf(account) === bucketOf('account-0')) as [string, string, string];
  const before = await allPages(nodes[1], read, everything);
  assert.equal(before.length, 5);
  const page = await nodes[1].page(read, { ...everything, limit: 2 });
  await nodes[0].clear(cleared);
  await nodes[1].deleteAccount(deleted);
  const cursor = parseLogCursor(page.pages[1]!.cursor)!;
  const rest = await allPages(nodes[1], read, { ...everything, limit: 2, cursor });
  assert.deepEqual([...page.items, ...rest], before);
  for (const account of [cleared, deleted]) {
    assert.deepEqual(await allPages(nodes[1], account, everything), []);
    assert.equal(await number(`SELECT count(*) AS value FROM log_shared WHERE '${account}' = ANY(accounts)`), 0);
    assert.equal(await number(`SELECT count(*) AS value FROM log_blocks WHERE account = '${account}'`), 0);
  }
  assert.deepEqual(
    [
      await nodes[1].requestsSince(cleared, 0),
      await nodes[1].requestsSince(deleted, 0),
      await nodes[0].requestsSince(read, 0),
    ],
    [5, 0, 5],
  );
  const plain = plainLog(rows, NOW);
  for (let account = 0; account < 80; account += 7) {
    const name = `account-${account}`;
    if (name === cleared || name === deleted) continue;
    assert.equal((await allPages(nodes[0], name, everything)).length, 5);
    assert.deepEqual(await nodes[0].statistics.domains(name, day), plain.domains(name, day));
  }
});

test('rows are moved to their accounts and rolled up, and a failure loses and doubles none', async (t) => {
  const problems: unknown[] = [];
  const database = await opened(t, { maxSharedRows: 10, onProblem: (problem) => problems.push(problem) });
  if (!database) return t.skip('there is no PostgreSQL here');
  const { client, number } = database;
  const [log, other] = [await database.open(), await database.open()];
  const rows: QueryRecord[] = [];
  const append = async (count: number): Promise<void> => {
    const some = Array.from({ length: count }, (_, row) =>
      aRecord({ time: NOW - 3_600_000 + 1000 * (rows.length + row), domain: `name-${row % 7}.example`, type: row }),
    );
    rows.push(...some);
    await (rows.length % 40 === 0 ? log : other).append(some);
  };
  const check = async (): Promise<void> => {
    const plain = plainLog(rows, NOW);
    for (const node of [log, other]) {
      assert.deepEqual(await allPages(node, 'home', everything), plain.rows('home', everything));
      assert.deepEqual(await node.statistics.domains('home', day), plain.domains('home', day));
      assert.deepEqual(await node.statistics.time('home', day), plain.time('home', day));
      assert.equal(await node.requestsSince('home', 0), rows.length);
    }
  };
  const waitFor = async (isDone: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await isDone())) await setTimeout(5);
  };
  await client.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON log_shared EXECUTE FUNCTION refuse()`);
  await append(20);
  await waitFor(() => problems.length > 0);
  assert.match(String(problems), /disk is full/);
  await check();
  await client.query('DROP TRIGGER refuse ON log_shared');
  problems.length = 0;
  // From 64 segments on an account is flushed.
  for (let round = 0; round < 66; round += 1) {
    await append(20);
    await waitFor(async () => (await number('SELECT count(*) AS value FROM log_shared')) === 0);
    if (round % 33 === 20) await check();
  }
  await waitFor(async () => (await number('SELECT count(*) AS value FROM log_blocks WHERE level > 0')) > 0);
  assert.equal(await number('SELECT sum(row_count) AS value FROM log_blocks'), rows.length);
  assert.deepEqual(problems, []);
  await check();
});
