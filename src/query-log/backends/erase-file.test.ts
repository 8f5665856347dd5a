import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { slow } from '../../../test/support/kit/slow.ts';
import { aRecord, NOW, temporaryFolder } from '../../../test/support/query-log/logs.ts';
import { openLog } from '../open-log.ts';
import { containsText, eraseSome, markForErasure } from './erase-file.ts';
import { openSqliteFile } from './sqlite-file.ts';

const DAY = 86_400_000;
const schema = 'CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, account TEXT, body BLOB)';
const onProblem = (problem: unknown): never => {
  throw problem;
};

const bytesOf = (path: string): string =>
  ['', '-wal']
    .map((ending) => path + ending)
    .filter(existsSync)
    .map((each) => readFileSync(each, 'latin1'))
    .join('');

for (const [size, maxRewritten] of [
  ['small', undefined],
  ['large', 0],
] as const)
  test(`a ${size} file has no bytes of deleted rows when it is erased, and the other rows`, slow, async (t) => {
    const path = join(await temporaryFolder(t), 'a.db');
    const file = openSqliteFile(path, { create: schema, upgradeFrom: () => '' });
    t.after(file.close);
    for (let row = 0; row < 300; row += 1) {
      const account = row % 2 === 0 ? 'victim' : 'other';
      file.run('INSERT INTO kept (account, body) VALUES (?, ?)', account, Buffer.alloc(40_000, `name of ${account} `));
    }
    assert.match(bytesOf(path), /name of victim/);
    file.run("DELETE FROM kept WHERE account = 'victim'");
    assert.equal(eraseSome(file, maxRewritten), true, 'not marked');
    assert.match(bytesOf(path), /name of victim/);
    markForErasure(file);
    let steps = 1;
    while (!eraseSome(file, maxRewritten)) steps += 1;
    t.diagnostic(`${steps} steps`);
    assert.doesNotMatch(bytesOf(path), /name of victim/);
    assert.equal(file.get('SELECT count(*) AS count FROM kept')!['count'], 150);
    assert.equal(file.get('PRAGMA freelist_count')!['freelist_count'], 0);
  });

test('a file of an earlier version is erased as well, and can return free pages from then on', async (t) => {
  const path = join(await temporaryFolder(t), 'a.db');
  const old = new DatabaseSync(path);
  old.exec(`PRAGMA user_version = 4; ${schema}; INSERT INTO kept VALUES (1, 'victim', NULL); DELETE FROM kept`);
  old.close();
  assert.match(bytesOf(path), /victim/);
  const file = openSqliteFile(path, { create: schema, upgradeFrom: () => '' });
  t.after(file.close);
  markForErasure(file);
  assert.equal(eraseSome(file), true);
  assert.doesNotMatch(bytesOf(path), /victim/);
  assert.equal(file.get('PRAGMA auto_vacuum')!['auto_vacuum'], 2);
});

test('an erasure that was interrupted is done when the log is opened again', async (t) => {
  const folder = await temporaryFolder(t);
  const open = () => openLog({ folder }, { now: () => NOW, onProblem });
  const first = await open();
  await first.append([aRecord({ domain: 'secret.example' })]);
  await first.close();
  const path = join(folder, 'log-2026-11-12.db');
  const file = openSqliteFile(path, { create: '', upgradeFrom: () => '' });
  file.run('PRAGMA secure_delete = OFF');
  file.run('DELETE FROM blocks');
  markForErasure(file);
  file.close();
  assert.match(bytesOf(path), /secret/);
  const second = await open();
  await second.close();
  assert.doesNotMatch(bytesOf(path), /secret/);
});

test('damaged files go with an account that they contain, and after a week', async (t) => {
  const folder = await temporaryFolder(t);
  const log = await openLog({ folder }, { now: () => NOW, onProblem });
  t.after(log.close);
  const damaged = (days: number, content: string): string => {
    const path = join(folder, `log-2026-11-12.db.corrupt-${NOW - days * DAY}`);
    writeFileSync(path, content);
    return path;
  };
  const files = [damaged(1, 'xx home xx'), damaged(2, 'xx work xx'), damaged(8, 'xx work xx')];
  const left = () => files.map((path) => existsSync(path));
  await log.clear('home');
  assert.deepEqual(left(), [false, true, true]);
  await log.applyRetention(() => 0);
  assert.deepEqual(left(), [false, true, false]);
});

test('a text is found wherever it is in a file', async (t) => {
  const path = join(await temporaryFolder(t), 'file');
  // Across the boundary of two chunks.
  writeFileSync(path, `${'x'.repeat(2 ** 20 - 3)}wanted${'x'.repeat(100)}`);
  assert.deepEqual([await containsText(path, 'wanted'), await containsText(path, 'unwanted')], [true, false]);
});
