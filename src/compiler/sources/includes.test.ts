import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../test/support/compiler/lines.ts';
import { readFrom } from '../../../test/support/compiler/reader.ts';
import { type Lines, toStrings } from '../lines/lines.ts';
import { readLines } from '../lines/read-lines.ts';
import { createWorkspace } from '../lines/workspace.ts';
import { preprocess, resolveInclude } from './includes.ts';

const never = new AbortController().signal;

async function linesOfList(name: string, lists: Readonly<Record<string, string>>): Promise<Lines> {
  const { read } = readFrom(lists);
  const content = await read({ source: name, as: 'source' }, never);
  return preprocess(readLines(createWorkspace(), content.bytes, 3), { source: name, kind: content.kind }, (source) =>
    read({ source, as: 'include' }, never),
  );
}
const included = async (name: string, lists: Readonly<Record<string, string>>): Promise<string[]> =>
  toStrings(await linesOfList(name, lists));

test('an included list replaces the line that includes it', async () => {
  const lists = {
    'l/a.txt': 'one\n!#include b.txt\nfour',
    'l/b.txt': 'two\n!#include sub/c.txt',
    'l/sub/c.txt': 'three',
  };
  assert.deepEqual(await included('l/a.txt', lists), ['one', 'two', 'three', 'four']);
});

test('included lines have the number of the including line', async () => {
  const lines = await linesOfList('a.txt', { 'a.txt': 'one\n\n!#include b.txt\nlast', 'b.txt': 'x\ny' });
  assert.deepEqual([...lines.number.subarray(0, lines.count)], [1, 3, 3, 4]);
  assert.deepEqual([...lines.source.subarray(0, lines.count)], [3, 3, 3, 3]);
});

test('conditions are evaluated first, and again in included lists', async () => {
  const lists = {
    'a.txt': '!#if x\n!#include missing.txt\n!#endif\n!#include b.txt',
    'b.txt': '!#if x\nno\n!#else\nyes\n!#endif',
  };
  assert.deepEqual(await included('a.txt', lists), ['yes']);
});

test('an empty list leaves an empty line', async () => {
  assert.deepEqual(await included('a.txt', { 'a.txt': 'x\n!#include b.txt', 'b.txt': '' }), ['x', '']);
});

test('a Diff-Path near the beginning of an included list is left out', async () => {
  const far = `${'x\n'.repeat(50)}! Diff-Path: far`;
  const lists = {
    'a.txt': '! Diff-Path: own\n!#include b.txt\n!#include c.txt',
    'b.txt': '! Diff-Path: b\n  ! Diff-Path: after blanks\nb',
    'c.txt': far,
  };
  assert.deepEqual(await included('a.txt', lists), ['! Diff-Path: own', 'b', ...far.split('\n')]);
});

test('lists that include each other are an error with the chain', async () => {
  const lists = { 'a.txt': '!#include b.txt', 'b.txt': 'x\n!#include a.txt' };
  await assert.rejects(included('a.txt', lists), /the lists include each other: a\.txt -> b\.txt -> a\.txt/);
  await assert.rejects(included('s.txt', { 's.txt': '!#include s.txt' }), /s\.txt -> s\.txt/);
});

test('ten levels of includes are allowed, eleven are an error with the chain', async () => {
  const chain = (depth: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: depth + 1 }, (_, at) => [`${at}.txt`, at < depth ? `!#include ${at + 1}.txt` : 'deep']),
    );
  assert.deepEqual(await included('0.txt', chain(10)), ['deep']);
  await assert.rejects(
    included('0.txt', chain(11)),
    /nested more than 10 deep: 0\.txt -> 1\.txt -> .* -> 10\.txt -> 11\.txt/,
  );
});

test('more than a thousand includes are rejected', async () => {
  const many = (count: number) => ({ 'a.txt': '!#include b.txt\n'.repeat(count), 'b.txt': 'x' });
  assert.equal((await included('a.txt', many(1000))).length, 1000);
  await assert.rejects(included('a.txt', many(1001)), /more than 1000 includes/);
});

test('a service allows fewer includes and levels', async () => {
  const lists = { 'a.txt': '!#include b.txt\n!#include c.txt', 'b.txt': '!#include c.txt', 'c.txt': 'x' };
  const within = (maxDepth: number, maxIncludes: number): Promise<Lines> => {
    const read = (source: string) => readFrom(lists).read({ source, as: 'include' }, never);
    const lines = readLines(createWorkspace(), utf8(lists['a.txt']), 0);
    return preprocess(lines, { source: 'a.txt', kind: 'file' }, read, { maxDepth, maxIncludes });
  };
  assert.deepEqual(toStrings(await within(2, 3)), ['x', 'x']);
  await assert.rejects(within(1, 3), /nested more than 1 deep: a\.txt -> b\.txt -> c\.txt/);
  await assert.rejects(within(2, 2), /more than 2 includes/);
});

test('the same list may be included twice in sequence', async () => {
  assert.deepEqual(await included('a.txt', { 'a.txt': '!#include b.txt\n!#include b.txt', 'b.txt': 'x' }), ['x', 'x']);
});

test('an include that cannot be read is named in the error', async () => {
  await assert.rejects(
    included('a.txt', { 'a.txt': '!#include b.txt', 'b.txt': '!#include gone.txt' }),
    /'!#include b\.txt'.*'!#include gone\.txt': no gone\.txt here/,
  );
  await assert.rejects(included('a.txt', { 'a.txt': '!#include ' }), /no path follows it/);
});

const fromFile = (source: string, path: string): string => resolveInclude({ source, kind: 'file' }, path);
const fromUrl = (source: string, path: string): string => resolveInclude({ source, kind: 'url' }, path);

test('includes are relative to the folder of the list; a list without one may include anything', () => {
  assert.equal(fromFile('lists/a.txt', 'b.txt'), 'lists/b.txt');
  assert.equal(fromFile('/lists/a.txt', 'sub/b.txt'), '/lists/sub/b.txt');
  assert.equal(fromFile('/a.txt', 'b.txt'), '/b.txt');
  assert.equal(fromFile('a.txt', '/etc/b.txt'), '/etc/b.txt');
  assert.equal(fromFile('a.txt', 'https://example.com/b.txt'), 'https://example.com/b.txt');
  assert.throws(() => fromFile('lists/a.txt', 'https://example.com/b.txt'), /Invalid url/);
  assert.equal(resolveInclude({ source: '||a.com^\n!#include b/c.txt', kind: 'inline' }, 'b/c.txt'), 'b/c.txt');
});

test('a remote list includes from its folder, independent of its query string', () => {
  assert.equal(fromUrl('https://example.com/l/a.txt', 'b.txt'), 'https://example.com/l/b.txt');
  assert.equal(fromUrl('https://example.com/l/a.txt?x=/y/#/z', 'sub/b.txt'), 'https://example.com/l/sub/b.txt');
});

test('a remote list includes URLs only from its own server', () => {
  assert.equal(fromUrl('https://example.com/a', 'https://example.com/other/b'), 'https://example.com/other/b');
  for (const other of [
    'https://example.org/b',
    'http://example.com/b',
    'https://example.com:8443/b',
    'file:///etc/passwd',
  ]) {
    assert.throws(() => fromUrl('https://example.com/a', other), /Include url is rejected with origin/, other);
  }
});

test('a remote list without a folder stays on its server, too', () => {
  assert.equal(fromUrl('https://example.com', 'example.org/b.txt'), 'https://example.com/example.org/b.txt');
  assert.equal(fromUrl('https://example.com?x', 'b.txt'), 'https://example.com/b.txt');
});

test('inline rules never have a folder', () => {
  assert.equal(resolveInclude({ source: '/ads/\n!#include b.txt', kind: 'inline' }, 'b.txt'), 'b.txt');
});
