import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { aRecord, MAX_UNFLUSHED_ROWS, NOW, temporaryFolder } from '../../../test/support/query-log/logs.ts';
import type { LogQuery } from '../../domain/log-query.ts';
import type { LogStore } from '../log-store.ts';
import { LogError } from '../log-store.ts';
import { openLog } from '../open-log.ts';
import { BITMAP_PARTS } from '../segments/bitmap-index.ts';
import { MAX_PAGES } from '../segments/index-pages.ts';
import { openSqliteFile } from './sqlite-file.ts';

const DAY = 86_400_000;
const everything: LogQuery = { from: 0, to: NOW + DAY, limit: 1000 };
const month = { from: NOW - 30 * DAY, to: NOW };

async function opened(folder: string) {
  const problems: unknown[] = [];
  const onProblem = (problem: unknown) => problems.push(problem);
  const log = await openLog({ folder }, { now: () => NOW, onProblem, maxUnflushedRows: MAX_UNFLUSHED_ROWS });
  return { log, problems };
}

const totalOf = (counts: readonly { value: { queries: number } }[]): number =>
  counts.reduce((sum, { value }) => sum + value.queries, 0);

test('rows of each week are in one file, and an expired week is deleted as a file', async (t) => {
  const folder = await temporaryFolder(t);
  const { log } = await opened(folder);
  await log.append([0, 10, 20].map((days) => aRecord({ time: NOW - days * DAY })));
  const files = () => readdirSync(folder).filter((name) => /^log-.*\.db$/.test(name));
  assert.deepEqual(files(), ['log-2026-10-22.db', 'log-2026-11-05.db', 'log-2026-11-12.db']);
  await log.applyRetention(() => NOW - 5 * DAY);
  assert.deepEqual(files(), ['log-2026-11-12.db']);
  assert.equal(totalOf(await log.statistics.time('home', month)), 3);
  await log.close();
});

test('only the owner may list the folder of a log or read its files', async (t) => {
  const folder = await temporaryFolder(t);
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'statistics.db'), '', { mode: 0o644 });
  const { log } = await opened(folder);
  await log.append([aRecord()]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const names = readdirSync(folder);
  assert.ok(names.includes('statistics.db') && names.includes('log-2026-11-12.db-wal'));
  for (const name of names) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  await log.close();
});

test('a damaged file is set aside and the log goes on without it', async (t) => {
  for (const damage of [
    (bytes: Buffer) => bytes.subarray(0, 5000),
    (bytes: Buffer) => bytes.fill(0x5a, 0, 100),
    (bytes: Buffer) => bytes.fill(0x5a, 4096),
  ]) {
    const folder = await temporaryFolder(t);
    const first = await opened(folder);
    await first.log.append([aRecord(), aRecord({ time: NOW - 10 * DAY, domain: 'older.example' })]);
    await first.log.close();
    const file = join(folder, 'log-2026-11-12.db');
    writeFileSync(file, damage(readFileSync(file)));
    const { log, problems } = await opened(folder);
    assert.deepEqual(
      (await log.page('home', everything)).items.map(({ domain }) => domain),
      ['older.example'],
    );
    await log.append([aRecord({ domain: 'new.example' })]);
    assert.equal((await log.page('home', everything)).items.length, 2);
    assert.ok(readdirSync(folder).includes(`log-2026-11-12.db.corrupt-${NOW}`));
    assert.match(String(problems[0]), /corrupt/);
    await log.close();
  }
});

test('damaged statistics restart from zero, and the rows stay', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await opened(folder);
  await first.log.append(Array.from({ length: 17_000 }, () => aRecord()));
  await first.log.close();
  writeFileSync(join(folder, 'statistics.db'), 'this is no database at all');
  const { log } = await opened(folder);
  await log.append([aRecord()]);
  assert.equal(totalOf(await log.statistics.time('home', month)), 1);
  assert.equal((await log.page('home', everything)).items.length, 1000);
  await log.close();
});

test('content that changed on disk is skipped and logged', async (t) => {
  const folder = await temporaryFolder(t);
  const { log, problems } = await opened(folder);
  await log.append(Array.from({ length: 17_000 }, () => aRecord({ time: NOW - DAY })));
  await log.append([aRecord({ domain: 'new.example' })]);
  const database = new DatabaseSync(join(folder, 'log-2026-11-12.db'));
  database.exec("UPDATE blocks SET spots = CAST(replace(hex(spots), '0', '1') AS BLOB) WHERE level > 0");
  database.close();
  assert.deepEqual(
    (await log.page('home', everything)).items.map(({ domain }) => domain),
    ['new.example'],
  );
  assert.match(String(problems[0]), /corrupt/);
  await log.close();
});

test('where it cannot be read any more what occurs on a day, its rows are still found', async (t) => {
  const folder = await temporaryFolder(t);
  const { log, problems } = await opened(folder);
  const rows = (device: string) => Array.from({ length: 17_000 }, () => aRecord({ time: NOW - DAY, device }));
  await log.append(rows('old'));
  const database = new DatabaseSync(join(folder, 'log-2026-11-12.db'));
  database.exec("UPDATE tallies SET body = CAST(replace(hex(body), '0', '1') AS BLOB), batch = 0");
  database.close();
  const found = async (device: string) => (await log.page('home', { ...everything, devices: [device] })).items.length;
  assert.equal(await found('old'), 1000);
  assert.match(String(problems[0]), /corrupt/);
  await log.append(rows('new'));
  assert.deepEqual([await found('old'), await found('new'), await found('nobody')], [1000, 1000, 0]);
  await log.close();
});

test('where the pieces of a block cannot be read any more, the block itself is', async (t) => {
  const folder = await temporaryFolder(t);
  const { log, problems } = await opened(folder);
  const rows = Array.from({ length: 17_000 }, (_, row) =>
    aRecord({ time: NOW - DAY, device: row % 3000 === 1 ? 'rare' : 'usual' }),
  );
  await log.append(rows);
  const rare = async (of: LogStore) => (await of.page('home', { ...everything, devices: ['rare'] })).items.length;
  const damage = (which: string) => {
    const database = new DatabaseSync(join(folder, 'log-2026-11-12.db'));
    database.exec(`UPDATE pieces SET body = CAST(replace(hex(body), '0', '1') AS BLOB) WHERE ${which}`);
    database.close();
  };
  assert.equal(await rare(log), 6);
  assert.deepEqual(problems, []);
  await log.close();
  for (const which of [`id % ${MAX_PAGES} >= ${BITMAP_PARTS}`, `id % ${MAX_PAGES} < ${BITMAP_PARTS}`]) {
    damage(which);
    const again = await opened(folder);
    assert.equal(await rare(again.log), 6);
    assert.match(String(again.problems[0]), /corrupt/);
    await again.log.close();
  }
});

test('pieces go with their block', async (t) => {
  const folder = await temporaryFolder(t);
  const { log } = await opened(folder);
  const rows = (days: number) =>
    Array.from({ length: 9000 }, (_, row) => aRecord({ time: NOW - days * DAY, device: row === 7 ? 'rare' : 'usual' }));
  await log.append([...rows(0), ...rows(1), ...rows(2)]);
  const kept = () => {
    const database = new DatabaseSync(join(folder, 'log-2026-11-12.db'));
    const count = database.prepare(`SELECT count(DISTINCT id / ${MAX_PAGES}) AS count FROM pieces`).get()!['count'];
    database.close();
    return count;
  };
  assert.equal(kept(), 3);
  await log.applyRetention(() => NOW - 36e5);
  assert.equal(kept(), 1);
  await log.clear('home');
  assert.equal(kept(), 0);
  await log.close();
});

test('a log that another version wrote is refused, and stays as it is', async (t) => {
  for (const name of ['log-2026-11-12.db', 'statistics.db']) {
    const folder = await temporaryFolder(t);
    const old = new DatabaseSync(join(folder, name));
    old.exec('CREATE TABLE blocks (id INTEGER PRIMARY KEY, account TEXT)');
    old.close();
    const isRefusal = /no version.*Nothing was changed/;
    await assert.rejects(opened(folder), isRefusal);
    await assert.rejects(opened(folder), isRefusal);
    assert.ok(readdirSync(folder).includes(name));
    const { log, problems } = await opened(await temporaryFolder(t));
    await log.append([aRecord()]);
    await log.close();
    assert.deepEqual(problems, []);
  }
});

test('a file that cannot grow says that the disk is full', async (t) => {
  const file = openSqliteFile(join(await temporaryFolder(t), 'small.db'), {
    create: 'CREATE TABLE t (text TEXT);',
    upgradeFrom: () => '',
  });
  file.get('PRAGMA max_page_count = 4');
  const isFull = (error: unknown): boolean => error instanceof LogError && error.kind === 'disk full';
  assert.throws(() => file.run('INSERT INTO t VALUES (?)', 'x'.repeat(100_000)), isFull);
  file.run('INSERT INTO t VALUES (?)', 'x');
  file.close();
});

test('when the disk is full appending is refused, reading goes on, and so does appending when there is room', async (t) => {
  const folder = await temporaryFolder(t);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
  if (mounted.status !== 0) return t.skip('only root can make a disk that is soon full');
  const { log } = await opened(folder);
  try {
    await log.append([aRecord()]);
    const large = Array.from({ length: 4000 }, (_, index) => aRecord({ rule: `${index}`.padEnd(1000, 'x') }));
    const isFull = (error: unknown): boolean => error instanceof LogError && error.kind === 'disk full';
    await assert.rejects(log.append(large), isFull);
    assert.equal((await log.page('home', everything)).items.length, 1);
    await log.append([aRecord()]);
    assert.equal((await log.page('home', everything)).items.length, 2);
    assert.equal(await log.requestsSince('home', 0), 2);
  } finally {
    await log.close();
    spawnSync('umount', [folder]);
  }
});

test('a log that is closed says so', async (t) => {
  const { log } = await opened(await temporaryFolder(t));
  await log.close();
  await assert.rejects(log.append([aRecord()]), (error) => error instanceof LogError && error.kind === 'closed');
});

test('appended rows are there after the process was killed, and are counted exactly once', async (t) => {
  const folder = await temporaryFolder(t);
  const writer = fileURLToPath(new URL('../../../test/support/query-log/appender.ts', import.meta.url));
  let acknowledged = 0;
  for (let kills = 0; kills < 5; kills += 1) {
    const writing = spawn(process.execPath, [writer, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    writing.stdout.on('data', (text: Buffer) => {
      acknowledged += text.toString().split('\n').length - 1;
      if (acknowledged > (kills + 1) * 40) writing.kill('SIGKILL');
    });
    await once(writing, 'close');
  }
  const { log } = await opened(folder);
  const rows = await log.requestsSince('home', 0);
  const stored = totalOf(await log.statistics.devices('home', { from: 0, to: NOW + DAY }));
  let found = 0;
  for (const file of readdirSync(folder).filter((name) => /^log-.*\.db$/.test(name))) {
    const database = new DatabaseSync(join(folder, file));
    found += database.prepare('SELECT coalesce(sum(row_count), 0) AS sum FROM blocks').get()!['sum'] as number;
    database.close();
  }
  assert.equal(rows, found);
  assert.equal(stored, found);
  // The last batch before the kill may be stored without its acknowledgement.
  assert.ok(found >= acknowledged * 500 && found <= (acknowledged + 5) * 500, `${found} of ${acknowledged * 500}`);
  await log.close();
});

test('rows that were counted when the process died, but not yet encoded, are not counted again', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await opened(folder);
  await first.log.append(Array.from({ length: 17_000 }, () => aRecord()));
  await first.log.append([aRecord({ domain: 'last.example' })]);
  await first.log.close();
  // As if statistics.db had been committed and the week file had not.
  const statistics = new DatabaseSync(join(folder, 'statistics.db'));
  statistics.exec('UPDATE counted SET batch = batch + 1000');
  statistics.close();
  const { log } = await opened(folder);
  assert.equal(await log.requestsSince('home', 0), 17_000);
  await log.append([aRecord({ domain: 'new.example' })]);
  assert.equal(await log.requestsSince('home', 0), 17_001);
  const { items } = await log.page('home', { ...everything, search: 'last' });
  assert.equal(items.length, 1);
  await log.close();
});

test('files stay few while many weeks are read', async (t) => {
  const folder = await temporaryFolder(t);
  const { log } = await opened(folder);
  await log.append(Array.from({ length: 40 }, (_, weeks) => aRecord({ time: NOW - weeks * 7 * DAY })));
  assert.equal((await log.page('home', everything)).items.length, 40);
  const open = readdirSync('/proc/self/fd').length;
  assert.equal((await log.page('home', { ...everything, search: 'nowhere' })).items.length, 0);
  assert.ok(open < 120, `${open} files are open`);
  assert.ok(statSync(join(folder, 'statistics.db')).size > 0);
  await log.close();
});
