import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { httpOrigin, inTurn, says } from '../../test/support/net/origin.ts';
import { version } from '../platform/version.ts';
import { compiledBy, type OwnReading, readAsOwner } from './compiler-defaults.ts';

// A proxy of the environment would intercept requests to the test servers.
for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];

const plain: OwnReading = { copiesFolder: undefined, useStaleCopies: false };

async function read(source: string, as: 'source' | 'include' | 'patterns' = 'source', reading = plain) {
  const { kind, bytes, freshness } = await readAsOwner(reading)({ source, as }, AbortSignal.timeout(20_000));
  return { kind, text: Buffer.from(bytes).toString(), ...(freshness && { freshness }) };
}

/** The folder is the working directory during the test. */
async function workIn(t: TestContext, files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await temporaryFolder(t, files);
  const before = process.cwd();
  process.chdir(folder);
  t.after(() => process.chdir(before));
  return folder;
}

test('lists contain the name of the compiler', () => {
  assert.equal(compiledBy, `Weir v${version}`);
});

test('a file is read by any path that leads to it, relative to the working directory', async (t) => {
  const folder = await workIn(t, { 'lists/my ads.txt': '||a.example.com^\n' });
  const expected = { kind: 'file', text: '||a.example.com^\n' };
  const path = join(folder, 'lists/my ads.txt');
  for (const source of ['lists/my ads.txt', './lists/../lists/my ads.txt', path, pathToFileURL(path).href]) {
    assert.deepEqual(await read(source), expected, source);
  }
});

test('the error of a missing file has its full path', async (t) => {
  const folder = await workIn(t, {});
  await assert.rejects(read('none.txt'), {
    message: `ENOENT: no such file or directory, open '${join(folder, 'none.txt')}'`,
  });
  await assert.rejects(read(pathToFileURL(join(folder, 'none.txt')).href), /^Error: ENOENT: .*none\.txt'$/);
});

test('a folder is not accepted as a list', async (t) => {
  const folder = await workIn(t, { 'lists/ads.txt': '' });
  for (const source of [folder, 'lists', '.', '/']) await assert.rejects(read(source), { code: 'EISDIR' });
});

test('a path through a file leads nowhere', async (t) => {
  await workIn(t, { 'ads.txt': '' });
  await assert.rejects(read('ads.txt/more.txt'), /ENOENT: .*ads\.txt\/more\.txt'/);
});

test('an empty file is an empty list', async (t) => {
  await workIn(t, { 'ads.txt': '' });
  assert.deepEqual(await read('ads.txt'), { kind: 'file', text: '' });
});

test('UTF-16 with a byte order mark is read as the text it is', async (t) => {
  const rule = '||реклама.example^\n';
  const bigEndian = Buffer.from(`\uFEFF${rule}`, 'utf16le').swap16();
  await workIn(t, { 'little.txt': Buffer.from(`\uFEFF${rule}`, 'utf16le'), 'big.txt': bigEndian });
  assert.deepEqual(await read('little.txt'), { kind: 'file', text: rule });
  assert.deepEqual(await read('big.txt'), { kind: 'file', text: rule });
});

test('text that no file can be named like is treated as rules', async (t) => {
  await workIn(t, {});
  for (const source of [
    '||a.example.com^',
    '@@||a.example.com^',
    '0.0.0.0 a.example.com',
    '::1 localhost # this machine',
    'a.example.com\nb.example.com',
    `||${'a'.repeat(10_000)}.example.com^`,
    '||a.example.com^\0',
    '||/../../etc/passwd^',
  ]) {
    assert.deepEqual(await read(source), { kind: 'inline', text: source }, source);
  }
});

test('a file that is named like a rule is a file', async (t) => {
  await workIn(t, { '||odd.example.com^': 'the file' });
  assert.deepEqual(await read('||odd.example.com^'), { kind: 'file', text: 'the file' });
});

test('all other text is a missing file', async (t) => {
  await workIn(t, {});
  for (const source of [
    'a.example.com',
    ' ',
    '\0',
    'a\0b',
    '~',
    '*',
    '%',
    'x'.repeat(10_000),
    'ftp://a/b',
    '\u{1F600}',
  ]) {
    await assert.rejects(read(source), /^Error: ENOENT: no such file or directory, open '/, source);
  }
});

test('an invalid file URL is rejected', async () => {
  for (const source of ['file://%', 'file:///%E0%A4%A']) await assert.rejects(read(source));
});

test('only a source may be rules: an include and a file of patterns are always elsewhere', async (t) => {
  await workIn(t, {});
  for (const as of ['include', 'patterns'] as const) {
    await assert.rejects(read('||a.example.com^', as), /ENOENT/);
    await assert.rejects(read('||a.example.com^\n||b.example.com^', as), /ENOENT/);
  }
});

test('a URL is downloaded with a User-Agent', async (t) => {
  const answer = inTurn(says(200, { 'content-type': 'text/plain' }, '||a.example.com^'));
  const { url } = await httpOrigin(t, answer);
  assert.deepEqual(await read(url), { kind: 'url', text: '||a.example.com^', freshness: 'fresh' });
  assert.equal(answer.asked[0]?.headers['user-agent'], `weir/${version}`);
});

test('with a cache folder, the next read is a conditional request', async (t) => {
  const copiesFolder = await temporaryFolder(t);
  const answer = inTurn(says(200, { etag: '"1"' }, 'old rules'), says(304), says(404));
  const { url } = await httpOrigin(t, answer);
  const reading = { copiesFolder, useStaleCopies: false };
  assert.deepEqual(await read(url, 'source', reading), { kind: 'url', text: 'old rules', freshness: 'fresh' });
  assert.deepEqual(await read(url, 'source', reading), { kind: 'url', text: 'old rules', freshness: 'not modified' });
  assert.equal(answer.asked[1]?.headers['if-none-match'], '"1"');
  await assert.rejects(read(url, 'source', reading), /is invalid: 404/);
});

test('a cached copy replaces a failed download if that is requested', async (t) => {
  const copiesFolder = await temporaryFolder(t);
  const { url } = await httpOrigin(t, inTurn(says(200, {}, 'old rules'), says(404)));
  await read(url, 'source', { copiesFolder, useStaleCopies: true });
  const again = await read(url, 'source', { copiesFolder, useStaleCopies: true });
  assert.deepEqual(again, { kind: 'url', text: 'old rules', freshness: 'stale' });
});
