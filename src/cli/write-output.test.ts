import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmod, lstat, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { messageOf } from './message-of.ts';
import { writeOutput } from './write-output.ts';

const rules = Buffer.from('||ads.example.com^\n');

/** In a separate process with a file size limit of 512 bytes, which simulates a full disk. */
function writeOnFullDisk(path: string): string {
  const module = new URL('./write-output.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(module)})
    .then(({ writeOutput }) => writeOutput(${JSON.stringify(path)}, Buffer.alloc(100_000)))
    .then(() => console.log('written'), (error) => console.log(error.message))`;
  const limited = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '-e', program];
  return spawnSync('sh', limited, { encoding: 'utf8' }).stdout;
}

test('a missing file is created', async (t) => {
  const folder = await temporaryFolder(t);
  await writeOutput(join(folder, 'list.txt'), rules);
  assert.deepEqual(await readFile(join(folder, 'list.txt')), rules);
  assert.deepEqual(await readdir(folder), ['list.txt']);
});

test('an existing file is replaced atomically by a new one', async (t) => {
  const folder = await temporaryFolder(t, { 'list.txt': 'something longer than the rules are, much longer' });
  const before = await stat(join(folder, 'list.txt'));
  await writeOutput(join(folder, 'list.txt'), rules);
  assert.deepEqual(await readFile(join(folder, 'list.txt')), rules);
  assert.notEqual((await stat(join(folder, 'list.txt'))).ino, before.ino);
  assert.deepEqual(await readdir(folder), ['list.txt']);
});

test('an empty list is written too', async (t) => {
  const folder = await temporaryFolder(t, { 'list.txt': 'old' });
  await writeOutput(join(folder, 'list.txt'), Buffer.alloc(0));
  assert.equal((await stat(join(folder, 'list.txt'))).size, 0);
});

test('after a failed write, the old file is unchanged and no other file is left behind', async (t) => {
  const folder = await temporaryFolder(t, { 'list.txt': 'old' });
  assert.match(writeOnFullDisk(join(folder, 'list.txt')), /^cannot write .*list\.txt: EFBIG/);
  assert.equal(await readFile(join(folder, 'list.txt'), 'utf8'), 'old');
  assert.deepEqual(await readdir(folder), ['list.txt']);
});

test('after a failed write of a new file, nothing is left behind', async (t) => {
  const folder = await temporaryFolder(t);
  assert.match(writeOnFullDisk(join(folder, 'list.txt')), /^cannot write/);
  assert.deepEqual(await readdir(folder), []);
});

test('a symbolic link is kept, and its target is replaced', async (t) => {
  const folder = await temporaryFolder(t, { 'real/list.txt': 'old' });
  await symlink('real/list.txt', join(folder, 'link.txt'));
  const before = await stat(join(folder, 'real/list.txt'));
  await writeOutput(join(folder, 'link.txt'), rules);
  assert.equal(await readlink(join(folder, 'link.txt')), 'real/list.txt');
  assert.deepEqual(await readFile(join(folder, 'real/list.txt')), rules);
  assert.notEqual((await stat(join(folder, 'real/list.txt'))).ino, before.ino);
  assert.deepEqual((await readdir(folder)).sort(), ['link.txt', 'real']);
  assert.deepEqual(await readdir(join(folder, 'real')), ['list.txt']);
});

test('a symbolic link to a missing file creates the file', async (t) => {
  const folder = await temporaryFolder(t);
  await symlink('later.txt', join(folder, 'link.txt'));
  await writeOutput(join(folder, 'link.txt'), rules);
  assert.ok((await lstat(join(folder, 'link.txt'))).isSymbolicLink());
  assert.deepEqual(await readFile(join(folder, 'later.txt')), rules);
});

test('the new file has the mode of the old one', async (t) => {
  const folder = await temporaryFolder(t, { 'list.txt': 'old' });
  const umask = process.umask(0o022);
  t.after(() => process.umask(umask));
  for (const mode of [0o600, 0o640, 0o755]) {
    await chmod(join(folder, 'list.txt'), mode);
    await writeOutput(join(folder, 'list.txt'), rules);
    assert.equal((await stat(join(folder, 'list.txt'))).mode & 0o7777, mode);
  }
});

test('the mode is kept even if the umask would exclude it', async (t) => {
  const folder = await temporaryFolder(t, { 'list.txt': 'old' });
  await chmod(join(folder, 'list.txt'), 0o666);
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  await writeOutput(join(folder, 'list.txt'), rules);
  assert.equal((await stat(join(folder, 'list.txt'))).mode & 0o7777, 0o666);
});

test('the error for a missing folder has the given path', async (t) => {
  const path = join(await temporaryFolder(t), 'missing', 'list.txt');
  await assert.rejects(writeOutput(path, rules), (error: Error) => {
    assert.match(error.message, /^cannot write /);
    assert.ok(error.message.includes(`ENOENT: no such file or directory, open '${path}'`));
    assert.doesNotMatch(error.message, /\.tmp/);
    return true;
  });
});

test('no message contains the name of the deleted temporary file', async (t) => {
  const path = join(await temporaryFolder(t), 'missing', 'list.txt');
  await assert.rejects(writeOutput(path, rules), (error) => {
    assert.doesNotMatch(messageOf(error), /\.tmp/);
    return true;
  });
});

test('writing to a folder is an error', async (t) => {
  const folder = await temporaryFolder(t, { 'folder/file.txt': 'old' });
  const path = join(folder, 'folder');
  await assert.rejects(writeOutput(path, rules), { message: `cannot write ${path}: EISDIR: it is a folder` });
  assert.deepEqual(await readdir(path), ['file.txt']);
});

test('a pipe is written in place', async (t) => {
  const folder = await temporaryFolder(t);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = promisify(execFile)('cat', [pipe], { timeout: 5000 });
  await writeOutput(pipe, rules);
  assert.equal((await reader).stdout, rules.toString());
  assert.ok((await lstat(pipe)).isFIFO());
  assert.deepEqual(await readdir(folder), ['pipe']);
});

test('a file name of maximum length is written', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'n'.repeat(255));
  await writeFile(path, 'old');
  await writeOutput(path, rules);
  assert.deepEqual(await readFile(path), rules);
  assert.deepEqual(await readdir(folder), [basename(path)]);
});

test('concurrent writers leave one complete list', async (t) => {
  const folder = await temporaryFolder(t);
  const lists = Array.from({ length: 20 }, (_, at) => Buffer.alloc(50_000, `${at} `));
  await Promise.all(lists.map((list) => writeOutput(join(folder, 'list.txt'), list)));
  const written = await readFile(join(folder, 'list.txt'));
  assert.ok(lists.some((list) => list.equals(written)));
  assert.deepEqual(await readdir(folder), ['list.txt']);
});
