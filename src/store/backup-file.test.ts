import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/store/stores.ts';
import { StoreError } from '../domain/store-error.ts';
import { type BackupRow, checkBackup, rowsOf, writeBackup } from './backup-file.ts';

const head = { format: 'weir backup', version: 3, createdAt: 5 } as const;
const rows: readonly BackupRow[] = [
  { table: 'accounts', row: { id: 'a', name: 'line\nbreak "ü" \u2028' } },
  { table: 'devices', row: { id: 'b', size: null } },
];

async function write(path: string): Promise<void> {
  await writeBackup(
    path,
    head,
    (async function* () {
      yield* rows;
    })(),
  );
}

test('a backup is read as it was written, and is private to its owner', async (t) => {
  const path = join(temporaryFolder(t), 'x.backup');
  await write(path);
  assert.deepEqual(await checkBackup(path), head);
  assert.deepEqual(await Array.fromAsync(rowsOf(path)), rows);
  assert.equal(statSync(path).mode & 0o077, 0);
});

test('every change of a backup is found: a lost, changed, added or repeated line', async (t) => {
  const path = join(temporaryFolder(t), 'x.backup');
  await write(path);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const [first, one, two, end] = lines as [string, string, string, string];
  const damaged = [
    [first, one, two],
    [first, two, end],
    [first, one.replace('"a"', '"b"'), two, end],
    [first, two, one, end],
    [first, one, two, two, end],
    [first, one, two, end, end],
    [first.replace('3', '2'), one, two, end],
  ];
  for (const [number, content] of damaged.entries()) {
    writeFileSync(path, `${content.join('\n')}\n`);
    await assert.rejects(
      checkBackup(path),
      (error) => error instanceof StoreError && /damaged/.test(error.message),
      `${number}`,
    );
  }
});

test('a file that is not a backup is refused', async (t) => {
  const path = join(temporaryFolder(t), 'x.backup');
  for (const content of ['', 'text', '{}\n{}\n', 'null\n']) {
    writeFileSync(path, content);
    await assert.rejects(checkBackup(path), /is not a backup/, content);
  }
});
