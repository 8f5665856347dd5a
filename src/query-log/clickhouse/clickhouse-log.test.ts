import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { freePort } from '../../../test/support/kit/ports.ts';
import { isUnitRun } from '../../../test/support/kit/slow.ts';
import { newClickhouseDatabase } from '../../../test/support/query-log/clickhouse.ts';
import { aRecord, NOW } from '../../../test/support/query-log/logs.ts';
import { DAY_MS, MINUTE_MS } from '../../kit/durations.ts';
import { encodeBatches, toLogStore } from '../log-engine.ts';
import { LogError } from '../log-store.ts';
import { openClickhouseLog } from './clickhouse-log.ts';

const environment = { now: () => NOW };
const range = { from: NOW - DAY_MS, to: NOW };
const database = await newClickhouseDatabase();
const needsClickhouse = { skip: !database && !isUnitRun && 'there is no ClickHouse here' };

const isUnavailable = (why: RegExp) => (error: unknown) =>
  error instanceof LogError && error.kind === 'unavailable' && why.test(String((error.cause as Error).message));

test('an insert that is sent again is stored and counted once', needsClickhouse, async () => {
  if (!database) return;
  const log = openClickhouseLog(database.url, environment);
  const rows = [aRecord(), aRecord({ time: NOW - DAY_MS })];
  const [insert] = await log.prepare(encodeBatches(rows));
  for (let sent = 0; sent < 3; sent += 1) await log.insert(insert!);
  assert.equal((await log.page('home', { ...range, limit: 9 })).items.length, 2);
  assert.equal(await log.requestsSince('home', 0), 2);
  const counts = await log.statistics.time('home', { from: NOW - 20 * DAY_MS, to: NOW });
  assert.equal(
    counts.reduce((sum, { value }) => sum + value.queries, 0),
    2,
  );
  // Equal rows of another insert are other queries.
  for (const other of await log.prepare(encodeBatches(rows))) await log.insert(other);
  assert.equal(await log.requestsSince('home', 0), 4);
});

test('rows have the retention of their account, and ClickHouse deletes them after it', needsClickhouse, async () => {
  if (!database) return;
  const now = (): number => Date.now();
  const log = toLogStore(openClickhouseLog(database.url, { now }));
  const rowsOnDisk = async (): Promise<string> => {
    await database.run('OPTIMIZE TABLE queries FINAL');
    return (await database.run("SELECT count() FROM queries WHERE account = 'expiring'")).trim();
  };
  let minutes = 0;
  const other = toLogStore(openClickhouseLog(database.url, { now: () => now() + minutes * MINUTE_MS }));
  await other.accounts();
  const append = (daysAgo: number) => log.append([aRecord({ account: 'expiring', time: now() - daysAgo * DAY_MS })]);
  await append(5);
  await append(1);
  assert.equal(await rowsOnDisk(), '[2]');
  await log.applyRetention(() => now() - 3 * DAY_MS);
  assert.equal(await rowsOnDisk(), '[1]');
  // Known from now on, also to the next process.
  const next = toLogStore(openClickhouseLog(database.url, { now }));
  await next.accounts();
  await next.append([aRecord({ account: 'expiring', time: now() - 4 * DAY_MS })]);
  assert.equal((await next.page('expiring', { from: 0, to: now(), limit: 9 })).items.length, 1);
  assert.equal(await rowsOnDisk(), '[1]');
  // Another node reads the change with an insert after some minutes.
  minutes = 6;
  for (let row = 0; row < 2; row += 1) {
    await other.append([aRecord({ account: 'expiring', time: now() - 4 * DAY_MS })]);
    assert.equal(await rowsOnDisk(), '[2]');
  }
  const old = "account = 'expiring' AND time < now() - INTERVAL 3 DAY";
  await database.run(`ALTER TABLE queries DELETE WHERE ${old} SETTINGS mutations_sync = 1`);
  // Prepared by a process that had not reached ClickHouse yet: the next run of the retention corrects it.
  const late = openClickhouseLog(database.url, { now });
  const [insert] = await late.prepare(encodeBatches([aRecord({ account: 'expiring', time: now() - 4 * DAY_MS })]));
  await late.insert(insert!);
  assert.equal(await rowsOnDisk(), '[2]');
  await toLogStore(late).applyRetention(() => now() - 3 * DAY_MS);
  assert.equal(await rowsOnDisk(), '[1]');
});

test('a database of a newer version is refused', needsClickhouse, async () => {
  const other = await newClickhouseDatabase();
  if (!other) return;
  await openClickhouseLog(other.url, environment).accounts();
  await other.run('INSERT INTO schema_versions (version) VALUES (99)');
  const isNewer = (error: unknown) => error instanceof LogError && error.kind === 'newer format';
  await assert.rejects(openClickhouseLog(other.url, environment).accounts(), isNewer);
});

test('a wrong password is named, and no error has the password', needsClickhouse, async () => {
  if (!database) return;
  const log = openClickhouseLog(database.url.replace(':secret@', ':wrong-secret@'), environment);
  await assert.rejects(log.accounts(), isUnavailable(/^(?!.*wrong-secret).*Authentication failed/s));
});

test('a server that cannot be reached is unavailable, and is used as soon as it answers', async (t) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('[3]\n'));
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await freePort();
  const log = openClickhouseLog(`clickhouse://weir:secret@127.0.0.1:${port}/weir`, environment);
  await assert.rejects(log.accounts(), isUnavailable(/^(?!.*secret).*127\.0\.0\.1:\d+.*ECONNREFUSED/s));
  await once(server.listen(port, '127.0.0.1'), 'listening');
  // The server says that its schema is of version 3.
  await assert.rejects(log.accounts(), (error: unknown) => error instanceof LogError && error.kind === 'newer format');
});
