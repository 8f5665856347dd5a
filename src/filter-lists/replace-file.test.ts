import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { firstLine, otherProcess } from '../../test/support/store/processes.ts';
import { replaceFile } from './replace-file.ts';

test('a file is written from its parts, for its owner only, and nothing is left beside it', async (t) => {
  const folder = await temporaryFolder(t);
  await replaceFile(join(folder, 'a'), 'one', Buffer.from(' two'));
  await replaceFile(join(folder, 'a'), 'three', Buffer.from(' four'));
  assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'three four');
  assert.equal((await stat(join(folder, 'a'))).mode & 0o077, 0);
  assert.deepEqual(await readdir(folder), ['a']);
});

test('what cannot be written leaves no trace', async (t) => {
  const folder = await temporaryFolder(t, { 'a/b': '' });
  await assert.rejects(replaceFile(join(folder, 'a'), 'content'), { code: 'EISDIR' });
  await assert.rejects(replaceFile(join(folder, 'nowhere', 'a'), 'content'), { code: 'ENOENT' });
  assert.deepEqual(await readdir(folder), ['a']);
});

const writer = (path: string): string => `
  import { replaceFile } from '../filter-lists/replace-file.ts';
  const contents = ['a', 'b'].map((letter) => letter.repeat(4_000_000));
  console.log('writing');
  for (let round = 0; ; round++) await replaceFile(${JSON.stringify(path)}, contents[round % 2]);
`;

test('whoever is killed while he writes leaves the old file or the new one, whole', async (t) => {
  const path = join(await temporaryFolder(t), 'a');
  await writeFile(path, 'a'.repeat(4_000_000));
  for (const ms of [20, 55, 90]) {
    const { child, lines, ended } = otherProcess(t, writer(path));
    await firstLine(lines);
    setTimeout(() => child.kill('SIGKILL'), ms);
    assert.equal(await ended, 'SIGKILL');
    assert.match(await readFile(path, 'utf8'), /^(?:a{4000000}|b{4000000})$/);
  }
});
