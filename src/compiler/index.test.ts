import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { collect } from '../../test/support/compiler/compile.ts';
import { utf8 } from '../../test/support/compiler/lines.ts';
import { compile, compileEvents, compileList, readRemote, transform } from './index.ts';
import type { Download } from './sources/read-source.ts';

type Answer = { readonly body: string | readonly number[]; readonly type?: string };

/** A download function with fixed answers. */
function net(answers: Readonly<Record<string, Answer>>): Download {
  return async (url) => {
    const answer = answers[url] ?? assert.fail(`nobody may ask for ${url}`);
    const bytes = typeof answer.body === 'string' ? utf8(answer.body) : new Uint8Array(answer.body);
    return { bytes, contentType: answer.type, freshness: 'fresh' };
  };
}

/** The rules left of one list, without comments. */
async function rulesOf(list: string, answers: Readonly<Record<string, Answer>>): Promise<string[]> {
  const options = { read: readRemote(net(answers)) };
  return compile({ name: 'T', sources: [{ source: list }], transformations: ['RemoveComments'] }, options).then(
    (lines) => lines.filter((line) => !line.startsWith('!')),
  );
}
const LIST = 'https://example.com/l/list.txt';
const MORE = 'https://example.com/l/more.txt';

test('a configuration is compiled to the lines of a list', async () => {
  const configuration = {
    name: 'T',
    sources: [{ source: '||a.com^\n||x.a.com^' }],
    transformations: ['Compress'],
  } as const;
  const lines = await compile(configuration, { timestamp: new Date(0), compiledBy: 'me' });
  const head = ['!', '! Title: T', '! Last modified: 1970-01-01T00:00:00.000Z', '!', '! Compiled by me', '!'];
  assert.deepEqual(lines, [...head, '!', '! Source: inline rules', '!', '||a.com^']);
});

test('the list is also returned with its report and as a file', async () => {
  const { bytes, report } = await compileList({ name: 'T', sources: [{ source: '||a.com^\n||b.com^' }] });
  assert.match(
    new TextDecoder().decode(bytes),
    /^!\n! Title: T\n[\s\S]*! Compiled by Weir v[\s\S]*\n\|\|a\.com\^\n\|\|b\.com\^$/,
  );
  assert.equal(report.sources[0]?.kept, 2);
});

test('files are read unless the caller passes another reader', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'compiler-'));
  try {
    const file = join(folder, 'list.txt');
    await writeFile(file, 'from-a-file.com');
    assert.equal((await compile({ name: 'T', sources: [{ source: file }] })).at(-1), 'from-a-file.com');
    const read = readRemote(net({}));
    await assert.rejects(
      compile({ name: 'T', sources: [{ source: file }] }, { read }),
      /not an http\(s\) URL and not rules/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a failed source can be skipped', async () => {
  const configuration = { name: 'T', sources: [{ source: 'gone' }, { source: '||a.com^' }] };
  const options = { read: readRemote(net({})), onSourceError: 'skip' } as const;
  const kinds = (await collect(compileEvents(configuration, options))).map(({ kind }) => kind);
  assert.ok(kinds.includes('source failed'));
  assert.equal(kinds.at(-1), 'finished');
  await assert.rejects(compileList(configuration, { ...options, onSourceError: 'stale' }), /gone: not an http/);
});

test('transformations can be run separately on lines', () => {
  assert.deepEqual(transform(['! x', 'a.com'], ['Compress', 'RemoveComments']), ['||a.com^']);
  assert.deepEqual(transform([], ['Compress']), []);
});

test('a list in another charset is decoded', async () => {
  const latin1 = { body: [0x7c, 0x7c, 0xfc, 0x2e, 0x64, 0x65], type: 'text/plain; charset=iso-8859-1' };
  assert.deepEqual(await rulesOf(LIST, { [LIST]: latin1 }), ['||ü.de']);
  const utf16 = { body: [0xff, 0xfe, 0x7c, 0, 0x7c, 0, 0x61, 0, 0x2e, 0, 0x62, 0], type: 'text/plain' };
  assert.deepEqual(await rulesOf(LIST, { [LIST]: utf16 }), ['||a.b']);
});

test('an error page is not accepted as a list', async () => {
  const page = { body: '<!doctype html><title>Sorry', type: 'text/html' };
  await assert.rejects(
    rulesOf(LIST, { [LIST]: page }),
    /example\.com\/l\/list\.txt: .* answered an HTML page, not a list/,
  );
});

test('a remote list includes from its own server only', async () => {
  assert.deepEqual(await rulesOf(LIST, { [LIST]: { body: 'a.com\n!#include more.txt' }, [MORE]: { body: 'b.com' } }), [
    'a.com',
    'b.com',
  ]);
  const reaching = { body: '!#include https://example.org/more.txt' };
  await assert.rejects(
    rulesOf(LIST, { [LIST]: reaching }),
    /Include url is rejected with origin: https:\/\/example\.org/,
  );
});

test('lists that include each other are an error with the chain', async () => {
  const circle = { [LIST]: { body: '!#include more.txt' }, [MORE]: { body: '!#include list.txt' } };
  await assert.rejects(rulesOf(LIST, circle), new RegExp(`include each other: ${LIST} -> ${MORE} -> ${LIST}`));
});
