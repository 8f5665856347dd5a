import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { slow } from '../../test/support/kit/slow.ts';
import { accountId, accountNamed, newAccount } from '../../test/support/store/accounts.ts';
import { openFor, temporaryFolder } from '../../test/support/store/stores.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { openSqlite } from './sqlite-database.ts';
import { openStore } from './store.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('the folder and all files in it are for their owner only, also where they were not', async (t) => {
  const folder = join(temporaryFolder(t), 'data');
  mkdirSync(folder, { mode: 0o755 });
  const store = await openStore({ folder });
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  assert.equal(modeOf(folder), '700');
  for (const name of ['settings.sqlite', 'settings.sqlite-wal', 'settings.sqlite-shm', 'lock.sqlite']) {
    assert.equal(modeOf(join(folder, name)), '600', name);
  }
  await store.close();
  chmodSync(join(folder, 'settings.sqlite'), 0o644);
  await openFor(t, { folder });
  assert.equal(modeOf(join(folder, 'settings.sqlite')), '600');
});

test('a commit is on the disk before it is acknowledged', async (t) => {
  const folder = temporaryFolder(t);
  const database = openSqlite({ folder });
  t.after(() => database.close());
  const ask = (sql: string) => database.transaction(async (run) => (await run({ sql, parameters: [] })).rows);
  assert.deepEqual(await ask('pragma synchronous'), [{ synchronous: 2 }]);
  assert.deepEqual(await ask('pragma journal_mode'), [{ journal_mode: 'wal' }]);
  assert.deepEqual(await ask('pragma foreign_keys'), [{ foreign_keys: 1 }]);
});

test('a file that is not a database is refused and left as it is', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'settings.sqlite');
  writeFileSync(path, 'these are the only settings there are'.repeat(100));
  await assert.rejects(openStore({ folder }), {
    name: 'StoreError',
    kind: 'corrupt',
    message: `${path}: the database is damaged; it was not changed`,
  });
  assert.match(readFileSync(path, 'utf8'), /^these are the only settings/);
});

test('a database that lost its end is refused and left as it is', async (t) => {
  const folder = temporaryFolder(t);
  const store = await openStore({ folder });
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  await store.close();
  const path = join(folder, 'settings.sqlite');
  const bytes = statSync(path).size / 2;
  truncateSync(path, bytes);
  await assert.rejects(openStore({ folder }), { name: 'StoreError', kind: 'corrupt' });
  assert.equal(statSync(path).size, bytes);
});

test('a database with damage in its middle is refused and left as it is', async (t) => {
  const folder = temporaryFolder(t);
  const store = await openStore({ folder });
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  await store.close();
  const path = join(folder, 'settings.sqlite');
  const bytes = readFileSync(path);
  bytes.fill(0xee, 5 * 4096, 12 * 4096);
  writeFileSync(path, bytes);
  await assert.rejects(openStore({ folder }), {
    name: 'StoreError',
    kind: 'corrupt',
    message: /settings\.sqlite: .*damaged/,
  });
  assert.deepEqual(readFileSync(path), bytes);
});

test('a file as the last server left it is not checked again, until a statement finds damage', async (t) => {
  const folder = temporaryFolder(t);
  const first = openSqlite({ folder });
  const ask = (sql: string) => first.transaction(async (run) => (await run({ sql, parameters: [] })).rows);
  await ask('create table notes (text)');
  await ask("insert into notes values ('x')");
  const [{ rootpage }] = (await ask("select rootpage from sqlite_schema where name = 'notes'")) as [
    { rootpage: number },
  ];
  await first.close();
  const path = join(folder, 'settings.sqlite');
  const reference = join(folder, 'reference');
  // Damage that changes neither the size nor the time of the file.
  execFileSync('touch', ['-r', path, reference]);
  writeFileSync(path, readFileSync(path).fill(0xee, (rootpage - 1) * 4096, rootpage * 4096));
  execFileSync('touch', ['-r', reference, path]);
  const second = openSqlite({ folder });
  await assert.rejects(second.read({ sql: 'select * from notes', parameters: [] }), { kind: 'corrupt' });
  await second.close();
  assert.throws(() => openSqlite({ folder }), { kind: 'corrupt' });
});

test('a store that was refused holds nothing: the next one opens', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'settings.sqlite');
  writeFileSync(path, 'x'.repeat(5000));
  await assert.rejects(openStore({ folder }));
  writeFileSync(path, '');
  await openFor(t, { folder });
});

test('a command beside the server changes things, and the server hears of it', async (t) => {
  const folder = temporaryFolder(t);
  const server = await openFor(t, { folder });
  const heard = new Promise<ChangedAccounts>((resolve) => server.onCommit(resolve));
  const command = await openFor(t, { folder, besideServer: true });
  await command.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  assert.equal((await server.read.accounts.find(accountId('anna')))?.plan, 'free');
  assert.deepEqual(await heard, new Set([accountId('anna')]));
});

test('waiting too long for another process fails with "locked"; reading continues', slow, async (t) => {
  const folder = temporaryFolder(t);
  const database = openSqlite({ folder, busyForMs: 200 });
  t.after(() => database.close());
  const other = new DatabaseSync(join(folder, 'settings.sqlite'));
  other.exec('begin immediate');
  await assert.rejects(
    database.transaction(async () => {}),
    { name: 'StoreError', kind: 'busy' },
  );
  assert.deepEqual((await database.read({ sql: 'select 1 as one', parameters: [] })).rows, [{ one: 1 }]);
  setTimeout(() => other.exec('rollback'), 50);
  assert.equal(await database.transaction(async () => 'done'), 'done');
  other.close();
});

test('on a full disk a change fails as a whole, reading goes on, and with room so does writing', async (t) => {
  const folder = temporaryFolder(t);
  const store = await openFor(t, { folder });
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  // Simulates a full disk: the page limit is the current size.
  const database = openSqlite({ folder, besideServer: true });
  t.after(() => database.close());
  const run = (sql: string) => database.transaction((run) => run({ sql, parameters: [] }));
  await run('pragma max_page_count = 1');
  const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
    insert into brakes select hex(randomblob(500)) || i, 1, 1 from n`;
  await assert.rejects(run(rows), { name: 'StoreError', kind: 'disk full' });
  assert.equal((await store.read.accounts.find(accountId('anna')))?.plan, 'free');
  await run('pragma max_page_count = 1000000');
  await run(rows);
  assert.equal(await store.inTransaction((tx) => tx.accounts.update(accountNamed('anna'))), true);
});

test('a place where no folder can be is refused', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  await assert.rejects(openStore({ folder: join(folder, 'file', 'data') }), /ENOTDIR/);
});
