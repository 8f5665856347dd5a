import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { readFromFolder } from './source-folder.ts';

const MAX_BYTES = 100;
const nothing = { kind: 'nothing' };

/** A folder `lists` with a file in it, beside files that must not be readable. */
async function lists(t: TestContext): Promise<{ folder: string; outside: string }> {
  const outside = await temporaryFolder(t, {
    'lists/ads.txt': '||ads.example^',
    'lists/more/own list.txt': 'more',
    'lists-of-others/a.txt': 'secret',
    'secret.txt': 'secret',
  });
  return { folder: join(outside, 'lists'), outside };
}

async function read(source: string, folder: string): Promise<unknown> {
  const found = await readFromFolder(source, { folder, maxBytes: MAX_BYTES });
  return found.kind === 'file' ? Buffer.from(found.bytes).toString() : found;
}

test('a file below the folder is read by any path that stays inside', async (t) => {
  const { folder } = await lists(t);
  const path = join(folder, 'more/own list.txt');
  for (const source of ['more/own list.txt', './more/../more/own list.txt', path, pathToFileURL(path).href]) {
    assert.equal(await read(source, folder), 'more', source);
  }
});

test('a file outside the folder gets the error of a missing one', async (t) => {
  const { folder, outside } = await lists(t);
  const sources = [
    '../secret.txt',
    'more/../../secret.txt',
    '../lists-of-others/a.txt',
    join(outside, 'secret.txt'),
    pathToFileURL(join(outside, 'secret.txt')).href,
    `FILE://localhost${join(outside, 'secret.txt')}`,
    '/etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
    'none.txt',
    'ads.txt/none.txt',
    '..',
  ];
  for (const source of sources) assert.deepEqual(await read(source, folder), nothing, source);
});

test('text that is not a path is rejected', async (t) => {
  const { folder } = await lists(t);
  for (const source of [
    '',
    'ads.txt\0',
    'ads.txt\0.png',
    'x'.repeat(100_000),
    'x/'.repeat(2_500),
    '||a^\n||b^',
    'file://%',
    'file://host/ads.txt',
    'file:///a%2fb',
    'file:///%00',
    '%2e%2e/secret.txt',
    '..\\secret.txt',
    '~/.env',
    '$HOME/.env',
  ]) {
    assert.deepEqual(await read(source, folder), nothing, source.slice(0, 20));
  }
});

test('a link is followed inside the folder and never out of it', async (t) => {
  const { folder, outside } = await lists(t);
  await symlink('more/own list.txt', join(folder, 'inside'));
  await symlink('more', join(folder, 'inner'));
  await symlink(join(outside, 'secret.txt'), join(folder, 'out'));
  await symlink(relative(folder, outside), join(folder, 'upwards'));
  await symlink('none.txt', join(folder, 'dangling'));
  await symlink('circle', join(folder, 'circle'));
  assert.equal(await read('inside', folder), 'more');
  assert.equal(await read('inner/own list.txt', folder), 'more');
  for (const source of ['out', 'upwards/secret.txt', 'upwards/../secret.txt', 'dangling', 'circle']) {
    assert.deepEqual(await read(source, folder), nothing, source);
  }
});

test('the folder itself may be a link', async (t) => {
  const { folder, outside } = await lists(t);
  await symlink('lists', join(outside, 'current'));
  assert.equal(await read('ads.txt', join(outside, 'current')), '||ads.example^');
  assert.equal(await read(join(folder, 'ads.txt'), join(outside, 'current')), '||ads.example^');
});

test('only a regular file is read, and nothing waits for a pipe', { timeout: 5000 }, async (t) => {
  const { folder } = await lists(t);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const server = createServer().listen(join(folder, 'socket'));
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  for (const source of ['pipe', 'socket', 'more', '.', folder]) {
    assert.deepEqual(await read(source, folder), nothing, source);
  }
});

test('a device below the folder is not read as a file', async (t) => {
  assert.deepEqual(await read('null', '/dev'), nothing);
  assert.deepEqual(await read('zero', '/dev'), nothing);
  const { folder } = await lists(t);
  await symlink('/dev/zero', join(folder, 'zero'));
  assert.deepEqual(await read('zero', folder), nothing);
});

test('a file at the limit is read, a larger one is rejected', async (t) => {
  const { folder } = await lists(t);
  await writeFile(join(folder, 'full.txt'), 'a'.repeat(MAX_BYTES));
  await writeFile(join(folder, 'large.txt'), 'a'.repeat(MAX_BYTES + 1));
  await writeFile(join(folder, 'empty.txt'), '');
  assert.equal(await read('full.txt', folder), 'a'.repeat(MAX_BYTES));
  assert.deepEqual(await read('large.txt', folder), { kind: 'too large' });
  assert.equal(await read('empty.txt', folder), '');
});

test('a file of unknown size is read up to the limit', async () => {
  const found = await readFromFolder('self/limits', { folder: '/proc', maxBytes: 10 });
  // Every process has its own folder there; the opened path is below /proc nevertheless.
  assert.deepEqual(found, { kind: 'too large' });
});

test('a missing folder has no files', async (t) => {
  const { outside } = await lists(t);
  assert.deepEqual(await read('ads.txt', join(outside, 'gone')), nothing);
});

test('replacing a folder by a link during the open never reveals a file outside', async (t) => {
  const { folder, outside } = await lists(t);
  await mkdir(join(folder, 'wall'));
  await writeFile(join(folder, 'wall/secret.txt'), 'harmless');
  await symlink(outside, join(folder, 'hole'));
  const exchange = `
    const { renameSync } = require('node:fs');
    for (const until = Date.now() + 20_000; Date.now() < until; ) for (const next of ['wall', 'hole']) {
      renameSync(next, 'door');
      renameSync('door', next);
    }`;
  const exchanging = spawn(process.execPath, ['-e', exchange], { cwd: folder, stdio: 'ignore' });
  const seen = new Set<unknown>();
  for (let turn = 0; turn < 3000 || (seen.size < 2 && turn < 100_000); turn++) {
    const found = await read('door/secret.txt', folder);
    seen.add(typeof found === 'string' ? found : 'nothing');
  }
  exchanging.kill();
  await once(exchanging, 'exit');
  assert.deepEqual(seen, new Set(['harmless', 'nothing']));
});
