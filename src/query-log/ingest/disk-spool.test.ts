import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/kit/until.ts';
import { newClickhouseDatabase } from '../../../test/support/query-log/clickhouse.ts';
import { aQuery, everything, openKept, temporaryFolder } from '../../../test/support/query-log/records.ts';
import { openSpool } from './disk-spool.ts';

test('the spool survives a restart; above its limit the oldest inserts are dropped and counted', async (t) => {
  const folder = join(await temporaryFolder(t), 'spool');
  const dropped: number[] = [];
  const problems: unknown[] = [];
  const open = () =>
    openSpool(
      { folder, maxBytes: 250 },
      { onDropped: (rows) => dropped.push(rows), onProblem: (problem) => problems.push(problem) },
    );
  const insert = (rows: number) => ({ id: randomUUID(), rows, body: new Uint8Array(100).fill(rows) });
  const first = open();
  for (const rows of [1, 2, 3]) await first.put(insert(rows));
  assert.deepEqual(dropped, [1]);
  writeFileSync(join(folder, 'x.unfinished'), '');
  const second = open();
  assert.deepEqual([second.size().rows, second.size().bytes, readdirSync(folder).length], [5, 200, 2]);
  const oldest = await second.oldest();
  assert.deepEqual([oldest?.rows, oldest?.body[0]], [2, 2]);
  // Dropped while it was sent: it must not be counted as stored too.
  await second.put(insert(4));
  assert.equal(await second.remove(oldest!.name), false);
  const next = await second.oldest();
  assert.equal(await second.remove(next!.name), true);
  assert.deepEqual([dropped, second.size().rows, readdirSync(folder).length], [[1, 2], 4, 1]);
  assert.deepEqual(problems, []);
});

type Mode = 'passes' | 'refuses' | 'loses the response of an insert';

test('while ClickHouse refuses, records are in the spool over a restart; then each is counted once', async (t) => {
  const database = await newClickhouseDatabase();
  if (!database) return t.skip('there is no ClickHouse here');
  let mode: Mode = 'passes';
  let lost = 0;
  const proxy = createServer((given, response) => {
    if (mode === 'refuses') return void response.writeHead(503).end('too busy');
    const { port } = database.server;
    const { url, method, headers } = given;
    const forwarded = send({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      const isInsert = headers['content-encoding'] === 'gzip';
      if (mode !== 'loses the response of an insert' || !isInsert) {
        response.writeHead(answer.statusCode!, answer.headers);
        return void answer.pipe(response);
      }
      mode = 'passes';
      lost += 1;
      answer.resume();
      response.destroy();
    });
    given.pipe(forwarded);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  const folder = join(await temporaryFolder(t), 'spool');
  const place = {
    clickhouse: database.url.replace(/:\d+\//, `:${port}/`),
    spool: { folder, maxBytes: 2 ** 20 },
  };
  const before = await openKept(t, place);
  const put = (count: number, { put: write } = before): void => {
    for (let each = 0; each < count; each += 1) assert.ok(write(aQuery(`name-${each}.example`)));
  };
  put(10);
  assert.equal((await before.log.page('home', everything)).items.length, 10);

  mode = 'refuses';
  put(500);
  await assert.rejects(before.log.page('home', everything), /cannot be reached: .*too busy/);
  assert.equal(readdirSync(folder).length, 1);
  const refusing = await before.stats();
  assert.deepEqual([refusing.lagMs > 0, refusing.isReachable], [true, false]);
  put(7);
  await before.stop();

  const after = await openKept(t, place);
  assert.equal((await after.stats()).waiting, 507);
  mode = 'loses the response of an insert';
  await until('stored records', async () => (await after.stats()).stored === 507);
  assert.deepEqual([lost, readdirSync(folder)], [1, []]);
  put(3, after);
  assert.equal((await after.log.page('home', everything)).items.length, 520);
  assert.equal(await after.log.requestsSince('home', 0), 520);
  const { waiting, dropped, lagMs, isReachable } = await after.stats();
  const hasDropped = Object.values(dropped).some((count) => count > 0);
  assert.deepEqual([waiting, hasDropped, lagMs, isReachable], [0, false, 0, true]);
  await after.stop();

  // The spool is too small for the time of the refusal: the oldest rows are dropped and counted, the others are stored.
  mode = 'refuses';
  const full = await openKept(t, { ...place, spool: { folder, maxBytes: 5000 } });
  const inSpool = (): number => readdirSync(folder).reduce((sum, name) => sum + Number(name.split('-')[1]), 0);
  const spoolFull = async (): Promise<number> => (await full.stats()).dropped['spool full'];
  for (let batch = 0; batch < 5; batch += 1) {
    for (let each = 0; each < 200; each += 1) assert.ok(full.put(aQuery(`full-${batch * 200 + each}.example`)));
    // The rows of a batch may be in more than one insert.
    const all = (batch + 1) * 200;
    await until('the batch in the spool', async () => (await spoolFull()) + inSpool() === all);
  }
  const lostRows = await spoolFull();
  mode = 'passes';
  await until('the rest of the spool', async () => (await full.stats()).waiting === 0);
  const search = { ...everything, search: 'full-' };
  const found = (await full.log.page('home', search)).items.map(({ domain }) => Number(/\d+/.exec(domain)![0]));
  const stats = await full.stats();
  assert.ok(lostRows > 0 && lostRows < 1000, `${lostRows} dropped`);
  assert.deepEqual([stats.stored, stats.dropped['spool full']], [1000 - lostRows, lostRows]);
  assert.deepEqual(
    found.sort((one, other) => one - other),
    Array.from({ length: 1000 - lostRows }, (_, index) => lostRows + index),
    'the newest rows are stored',
  );
  assert.equal(await full.log.requestsSince('home', 0), 1520 - lostRows);
  t.diagnostic(
    `of 1000 rows while ClickHouse refuses and the spool is full: ${stats.stored} stored, ${lostRows} dropped`,
  );
});
