import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { firstLine, otherProcess } from '../../test/support/store/processes.ts';
import { writeAtomic } from './write-atomic.ts';

test('the file is private and no temporary file is left', async (t) => {
  const folder = await temporaryFolder(t);
  await writeAtomic(join(folder, 'a'), ['one', Buffer.from(' two')]);
  await writeAtomic(join(folder, 'a'), ['three', Buffer.from(' four')]);
  assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'three four');
  assert.equal((await stat(join(folder, 'a'))).mode & 0o077, 0);
  assert.deepEqual(await readdir(folder), ['a']);
});

test('a function may write the content; the mode is independent of the umask; the temporary file may be named', async (t) => {
  const folder = await temporaryFolder(t, { stale: 'longer than the content' });
  const path = join(folder, 'a');
  const options = { mode: 0o666, temporaryFile: join(folder, 'stale') };
  await writeAtomic(path, (file) => file.writeFile('content'), options);
  assert.equal(await readFile(path, 'utf8'), 'content');
  assert.equal((await stat(path)).mode & 0o777, 0o666);
  assert.deepEqual(await readdir(folder), ['a']);
});

test('a failed write leaves nothing behind', async (t) => {
  const folder = await temporaryFolder(t, { 'a/b': '' });
  await assert.rejects(writeAtomic(join(folder, 'a'), 'content'), { code: 'EISDIR' });
  await assert.rejects(writeAtomic(join(folder, 'nowhere', 'a'), 'content'), { code: 'ENOENT' });
  assert.deepEqual(await readdir(folder), ['a']);
});

const writer = (path: string): string => `
  import { writeAtomic } from '../platform/write-atomic.ts';
  const contents = ['a', 'b'].map((letter) => letter.repeat(4_000_000));
  console.log('writing');
  for (let round = 0; ; round++) await writeAtomic(${JSON.stringify(path)}, contents[round % 2]);
`;

test('a writer killed while it writes leaves the old content or the new one', async (t) => {
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
