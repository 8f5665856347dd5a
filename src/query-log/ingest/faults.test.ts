import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../test/support/kit/ports.ts';
import { until } from '../../../test/support/kit/until.ts';
import { aQuery, everything, type Kept, openKept, temporaryFolder } from '../../../test/support/query-log/records.ts';
import { newPostgresDatabase } from '../../../test/support/store/postgres.ts';
import { startTcpProxy } from '../../../test/support/store/tcp-proxy.ts';
import type { RecordStats } from './record-stats.ts';

const STATEMENT_MS = 10_000;

const dropsOf = ({ dropped }: RecordStats): number => Object.values(dropped).reduce((sum, count) => sum + count, 0);

async function untilStored({ stats }: Kept, rows: number): Promise<RecordStats> {
  await until(`${rows} stored rows`, async () => (await stats()).stored >= rows);
  return stats();
}

test('while another program has the log locked, records wait; then all are stored', async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  const kept = await openKept(t, { folder });
  kept.put(aQuery());
  await untilStored(kept, 1);
  const file = readdirSync(folder).find((name) => /^log-.*\.db$/.test(name))!;
  const other = new DatabaseSync(join(folder, file));
  other.exec('BEGIN IMMEDIATE');
  for (let second = 0; second < 3; second += 1) {
    for (let each = 0; each < 2000; each += 1) assert.ok(kept.put(aQuery(`name-${each}.example`)));
    // Longer than the first retry delays.
    await until('failed attempts', async () => (await kept.stats()).lagMs > second * 1000);
  }
  const locked = await kept.stats();
  assert.equal(locked.stored, 1);
  assert.equal(locked.waiting, 6000);
  // Stored rows stay readable.
  assert.equal((await kept.log.page('home', everything)).items.length, 1);
  other.exec('ROLLBACK');
  other.close();
  const free = await untilStored(kept, 6001);
  assert.deepEqual([free.stored, free.waiting, dropsOf(free)], [6001, 0, 0]);
  assert.equal(await kept.log.requestsSince('home', 0), 6001);
});

test('a damaged log is moved aside and a new one is created', async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  mkdirSync(folder);
  const week = 7 * 86_400_000;
  const day = new Date(Math.floor(Date.now() / week) * week).toISOString().slice(0, 10);
  for (const name of [`log-${day}.db`, 'statistics.db'])
    writeFileSync(join(folder, name), 'this is no database'.repeat(999));
  const kept = await openKept(t, { folder });
  for (let each = 0; each < 10; each += 1) kept.put(aQuery());
  const told = await untilStored(kept, 10);
  assert.deepEqual([told.stored, dropsOf(told)], [10, 0]);
  assert.equal(readdirSync(folder).filter((name) => name.includes('.corrupt-')).length, 2);
});

test('a log that another version wrote is refused in plain words; records wait until it is gone', async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  mkdirSync(folder);
  const old = new DatabaseSync(join(folder, 'statistics.db'));
  old.exec('CREATE TABLE counted (account TEXT)');
  old.close();
  const kept = await openKept(t, { folder });
  for (let each = 0; each < 10; each += 1) kept.put(aQuery());
  await assert.rejects(kept.log.page('home', everything), /no version of this program has released/);
  assert.deepEqual([(await kept.stats()).stored, (await kept.stats()).waiting], [0, 10]);
  assert.match(String(kept.problems[0]), /query log write failed, buffering: the query log is in a format/);
  rmSync(join(folder, 'statistics.db'));
  const told = await untilStored(kept, 10);
  assert.deepEqual([told.stored, told.waiting, dropsOf(told)], [10, 0, 0]);
});

test('when the disk is full records are buffered, then dropped and counted; answers do not wait', async (t) => {
  const folder = await temporaryFolder(t);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status !== 0)
    return t.skip('a small disk takes root to make');
  using _ = { [Symbol.dispose]: () => void spawnSync('umount', ['-l', folder]) };
  const kept = await openKept(t, { folder: join(folder, 'log') }, { ringBytes: 16 * 2 ** 20 });
  let answered = 0;
  for (; answered < 60_000; answered += 1) {
    const text = new TextEncoder().encode(`||name-${answered}.example^$denyallow=${'x'.repeat(100)}`);
    kept.put(aQuery(`name-${answered}.example`, { rule: text, ruleLength: text.length }), answered & 1);
    if (answered % 10_000 === 0) await kept.stats();
  }
  const isAccountedFor = async (): Promise<boolean> => {
    const stats = await kept.stats();
    return stats.stored + stats.waiting + dropsOf(stats) === answered;
  };
  await until('a failed attempt', async () => kept.problems.length > 0 && (await isAccountedFor()));
  const told = await kept.stats();
  assert.ok(told.waiting > 0);
  assert.equal(told.stored + told.waiting + dropsOf(told), answered);
  assert.ok(kept.problems.length > 0);
  await kept.stop();
  assert.match(String(kept.problems.at(-1)), /lost/);
});

test('while PostgreSQL is away records wait; when it is back, all are stored', async (t) => {
  const url = await newPostgresDatabase();
  if (url === undefined) return t.skip('there is no PostgreSQL here');
  const behind = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const server = connect(Number(behind.port), behind.hostname);
    for (const each of [socket, server]) {
      sockets.add(each);
      each.on('error', () => undefined);
      each.on('close', () => sockets.delete(each));
    }
    socket.pipe(server).pipe(socket);
  });
  const port = await freePort();
  const listen = () => new Promise<void>((resolve) => void proxy.listen(port, '127.0.0.1', resolve));
  await listen();
  const away = async (): Promise<void> => {
    const closed = new Promise((resolve) => proxy.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  t.after(() => proxy.listening && away());
  const through = new URL(url);
  through.port = String(port);
  const kept = await openKept(t, { postgres: through.href });
  kept.put(aQuery());
  await untilStored(kept, 1);
  await away();
  for (let each = 0; each < 5000; each += 1) assert.ok(kept.put(aQuery(`name-${each}.example`)));
  await until('a failed attempt', async () => (await kept.stats()).lagMs > 0);
  const told = await kept.stats();
  assert.deepEqual([told.stored, told.waiting], [1, 5000]);
  await assert.rejects(kept.log.clear('home'));
  await listen();
  const back = await untilStored(kept, 5001);
  assert.deepEqual([back.stored, back.waiting, dropsOf(back)], [5001, 0, 0]);
  assert.equal(await kept.log.requestsSince('home', 0), 5001);
  await kept.stop();
});

test('a lost thread takes what it had with it, which is counted; another one goes on with what is in the rings', async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  const kept = await openKept(t, { folder });
  kept.put(aQuery());
  await untilStored(kept, 1);
  kept.onRestart((clientIdPort) => {
    clientIdPort.postMessage({
      kind: 'client',
      clientId: 0,
      account: 'home',
      dnsServer: 'a',
      device: 'phone',
      ipLog: false,
    });
    clientIdPort.postMessage({ kind: 'complete' });
  });
  const other = new DatabaseSync(join(folder, readdirSync(folder).find((name) => /^log-.*\.db$/.test(name))!));
  other.exec('BEGIN IMMEDIATE');
  for (let each = 0; each < 100; each += 1) kept.put(aQuery(`lost-${each}.example`));
  assert.equal((await kept.stats()).waiting, 100);
  // An invalid message: the thread ends with an error.
  kept.name({ kind: 'nonsense' } as never);
  await until('the end of the thread', () => /query log thread ended unexpectedly/.test(String(kept.problems.at(-1))));
  for (let each = 0; each < 50; each += 1) assert.ok(kept.put(aQuery(`later-${each}.example`)));
  other.exec('ROLLBACK');
  other.close();
  const told = await untilStored(kept, 51);
  assert.deepEqual([told.stored, told.waiting, told.dropped['thread lost'], dropsOf(told)], [51, 0, 100, 100]);
  assert.equal(told.written, 151);
  assert.match(String(kept.problems.at(-1)), /the query log thread ended unexpectedly/);
  assert.equal((await kept.log.page('home', { ...everything, search: 'later-' })).items.length, 50);
});

test('buffered rows of an account that switches its log off are not stored; rows after it is switched on again are', async (t) => {
  const folder = join(await temporaryFolder(t), 'log');
  const kept = await openKept(t, { folder });
  kept.put(aQuery());
  await untilStored(kept, 1);
  const other = new DatabaseSync(join(folder, readdirSync(folder).find((name) => /^log-.*\.db$/.test(name))!));
  other.exec('BEGIN IMMEDIATE');
  for (let each = 0; each < 30; each += 1) kept.put(aQuery('packed.example', { clientId: each % 3 === 0 ? 1 : 0 }));
  await until('a failed attempt', () => kept.problems.length > 0);
  for (let each = 0; each < 20; each += 1) kept.put(aQuery('pending.example'));
  await kept.stats();
  for (let each = 0; each < 10; each += 1) kept.put(aQuery('in-ring.example'));
  kept.name({ kind: 'logging', account: 'home', isLogged: false, time: Date.now() });
  kept.put(aQuery('after.example'));
  await kept.stats();
  await setTimeout(5);
  kept.name({ kind: 'logging', account: 'home', isLogged: true, time: Date.now() });
  await setTimeout(5);
  kept.put(aQuery('again.example'));
  other.exec('ROLLBACK');
  other.close();
  const told = await untilStored(kept, 12);
  assert.deepEqual([told.stored, told.waiting, told.dropped['switched off'], dropsOf(told)], [12, 0, 51, 51]);
  assert.deepEqual(
    (await kept.log.page('home', everything)).items.map(({ domain }) => domain),
    ['again.example', 'example.org'],
  );
  assert.equal(await kept.log.requestsSince('office', 0), 10);
});

test('while the network drops packets silently, the lag grows before a timeout, and the log closes in time', async (t) => {
  const url = await newPostgresDatabase();
  if (url === undefined) return t.skip('there is no PostgreSQL here');
  const proxy = await startTcpProxy(t, url);
  const kept = await openKept(t, { postgres: proxy.url });
  kept.put(aQuery());
  await untilStored(kept, 1);
  proxy.freeze();
  const frozenAt = performance.now();
  kept.put(aQuery());
  await until('a lag', async () => (await kept.stats()).lagMs > 1000);
  assert.ok(performance.now() - frozenAt < STATEMENT_MS, 'the write neither succeeds nor fails yet');
  const closingAt = performance.now();
  await kept.stop();
  assert.ok(performance.now() - closingAt < 6000, `${performance.now() - closingAt} ms`);
});
