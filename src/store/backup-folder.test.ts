import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { backupFolder } from './backup-folder.ts';
import { openStore } from './store.ts';

const NOW = Date.UTC(2026, 10, 16, 1, 2, 3, 4);

test('a backup is named by its time, can be restored, and is the last one', async (t) => {
  const data = await temporaryFolder(t);
  const store = await openStore({ folder: data });
  t.after(() => store.close());
  const backups = backupFolder(data, store.backup);
  assert.equal(await backups.last(), undefined);
  const [one, same] = await Promise.all([backups.make(NOW), backups.make(NOW + 1)]);
  assert.deepEqual(one, same, 'concurrent calls share one backup');
  assert.equal(one.file, join(data, 'backups', 'weir-20261116T010203.004Z.backup'));
  assert.equal((await stat(one.file)).size, one.bytes);
  assert.deepEqual(await backups.last(), one);
  const other = await openStore({ folder: await temporaryFolder(t) });
  t.after(() => other.close());
  await other.restore(one.file);
});

test('the newest ten are kept, and other files are not deleted', async (t) => {
  const data = await temporaryFolder(t);
  const store = await openStore({ folder: data });
  t.after(() => store.close());
  const backups = backupFolder(data, store.backup);
  const { file } = await backups.make(NOW);
  await writeFile(join(dirname(file), 'mine.backup'), '');
  for (let i = 1; i <= 11; i++) await backups.make(NOW + i);
  const names = await readdir(dirname(file));
  assert.equal(names.length, 11);
  assert.ok(names.includes('mine.backup') && !names.includes('weir-20261116T010203.004Z.backup'));
});
