import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { newPostgresDatabase } from '../../../test/support/store/postgres.ts';
import { LogError } from '../log-store.ts';
import { openLog } from '../open-log.ts';

const environment = { now: () => NOW, onProblem: () => {} };
const isFault =
  (kind: LogError['kind']) =>
  (error: unknown): boolean =>
    error instanceof LogError && error.kind === kind;

test('a PostgreSQL that is not there is unavailable', async () => {
  await assert.rejects(
    openLog({ postgres: 'postgres://nobody@127.0.0.1:1/none' }, environment),
    isFault('unavailable'),
  );
});

test('a log in PostgreSQL that is closed says so', async (t) => {
  const url = await newPostgresDatabase();
  if (url === undefined) return t.skip('there is no PostgreSQL here');
  const log = await openLog({ postgres: url }, environment);
  await log.close();
  await assert.rejects(log.append([aRecord()]), isFault('closed'));
});

test('a log in PostgreSQL that another version wrote is refused, and one of this version is not', async (t) => {
  const url = await newPostgresDatabase();
  if (url === undefined) return t.skip('there is no PostgreSQL here');
  for (const log of [await openLog({ postgres: url }, environment), await openLog({ postgres: url }, environment)])
    await log.close();
  const client = new pg.Client(url);
  await client.connect();
  await client.query("COMMENT ON TABLE log_blocks IS 'format 1'");
  await client.end();
  await assert.rejects(openLog({ postgres: url }, environment), /no version.*Nothing was changed.*tables.*log_/);
});

test('two nodes that write at once count every query once', async (t) => {
  const url = await newPostgresDatabase();
  if (url === undefined) return t.skip('there is no PostgreSQL here');
  const nodes = [await openLog({ postgres: url }, environment), await openLog({ postgres: url }, environment)];
  await Promise.all(
    nodes.map(async (node, number) => {
      for (let batch = 0; batch < 12; batch += 1)
        await node.append(
          Array.from({ length: 1000 }, (_, row) => aRecord({ time: NOW - row * 60_000, device: `device-${number}` })),
        );
    }),
  );
  for (const node of nodes) {
    assert.equal(await node.requestsSince('home', 0), 24_000);
    const devices = await node.statistics.devices('home', { from: NOW - 20 * 86_400_000, to: NOW });
    assert.deepEqual(
      devices.map(({ value }) => value.queries),
      [12_000, 12_000],
    );
    await node.close();
  }
});

test('a node appends while the append of another one is not committed', async (t) => {
  const url = await newPostgresDatabase();
  if (url === undefined) return t.skip('there is no PostgreSQL here');
  const log = await openLog({ postgres: url }, environment);
  t.after(() => log.close());
  await log.append([aRecord()]);
  const other = new pg.Client(url);
  await other.connect();
  t.after(() => other.end());
  // The lock of a node that reserves batch numbers.
  await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${0x57_4c_4f_48}, 0), nextval('log_batches')`);
  await log.append([aRecord()]);
  assert.equal(await log.requestsSince('home', 0), 2);
});
