import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../test/support/compiler/lines.ts';
import {
  type Content,
  type Download,
  isInlineRules,
  type ReadRequest,
  readAnywhere,
  readRemote,
  toUtf8,
} from './read-source.ts';

const never = new AbortController().signal;
const textOf = ({ bytes }: Content): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** A server with the same answer to every request. */
const answering =
  (body: string | Uint8Array, contentType?: string): Download =>
  async () => ({ bytes: typeof body === 'string' ? utf8(body) : body, contentType, freshness: 'fresh' });

const files = (table: Readonly<Record<string, string>>) => ({
  read: async (path: string) => (Object.hasOwn(table, path) ? utf8(table[path]!) : undefined),
  missing: (path: string) => new Error(`no such file: ${path}`),
});

const anywhere = (
  source: string,
  table: Readonly<Record<string, string>> = {},
  as: ReadRequest['as'] = 'source',
): Promise<Content> => readAnywhere(answering('from the net'), files(table))({ source, as }, never);
const remote = (download: Download, source = 'https://example.com/list'): Promise<Content> =>
  readRemote(download)({ source, as: 'source' }, never);

test('a source is a URL before it is a file, and a file before it is rules', async () => {
  assert.equal((await anywhere('https://a.com/l', { 'https://a.com/l': 'from a file' })).kind, 'url');
  assert.equal((await anywhere('HTTP://a.com/l')).kind, 'url');
  assert.deepEqual(await anywhere('||a.com^', { '||a.com^': 'x' }), { kind: 'file', bytes: utf8('x') });
  assert.deepEqual(await anywhere('||a.com^'), { kind: 'inline', bytes: utf8('||a.com^') });
});

test('a file may be given as a file URL', async () => {
  assert.equal(textOf(await anywhere('file:///lists/my%20list.txt', { '/lists/my list.txt': 'x' })), 'x');
});

test('text is rules when it has a line break or a character of rules', async () => {
  for (const text of ['a.com\nb.com', 'a\rb', 'd.example.com\n', '! c\n', '||a.com^', '@@||a.com^', '0.0.0.0 a.com'])
    assert.ok(isInlineRules(text), text);
  for (const text of [
    '/ads[0-9]/',
    '/^ad\\d/$important',
    '*.example.com^',
    'a.com^$important',
    '|a.com^|',
    'a.com##.ad',
  ])
    assert.ok(isInlineRules(text), text);
  for (const text of [
    'a.com',
    'lists/a.txt',
    '',
    '*.a.com',
    '/ads/',
    '/etc/lists.d/',
    'lists/*.txt',
    'a#b.txt',
    '/a/b^c/d',
  ])
    assert.ok(!isInlineRules(text), text);
  await assert.rejects(anywhere('list.txt'), /no such file: list\.txt/);
});

test('only sources may be inline rules; includes and pattern files may not', async () => {
  await assert.rejects(anywhere('||a.com^', {}, 'include'), /no such file/);
  await assert.rejects(anywhere('||a.com^', {}, 'patterns'), /no such file/);
});

test('a service reads no local files', async () => {
  for (const source of ['/etc/passwd', 'file:///etc/passwd', 'list.txt']) {
    await assert.rejects(remote(answering(''), source), /not an http\(s\) URL and not rules/, source);
  }
  assert.equal((await remote(answering(''), '||a.com^')).kind, 'inline');
  await assert.rejects(readRemote(answering(''))({ source: '||a.com^', as: 'include' }, never), /not an http/);
});

test('a download gets the abort signal and reports its progress', async () => {
  const { signal } = new AbortController();
  const told: number[] = [];
  const download: Download = async (_, options) => {
    assert.equal(options.signal, signal);
    options.onProgress?.({ receivedBytes: 7 });
    options.onRetry?.({ reason: 'busy', waitMs: 8, attempt: 1 });
    return { bytes: utf8('x'), contentType: undefined, freshness: 'stale' };
  };
  const content = await readRemote(download)(
    {
      source: 'https://example.com/',
      as: 'source',
      onProgress: ({ receivedBytes }) => told.push(receivedBytes),
      onRetry: ({ waitMs }) => told.push(waitMs),
    },
    signal,
  );
  assert.equal(content.freshness, 'stale');
  assert.deepEqual(told, [7, 8]);
});

test('a list may have a text type, application/octet-stream, application/json, or no content type', async () => {
  for (const type of [
    undefined,
    '',
    'text/plain',
    'TEXT/HTML; charset=utf-8',
    'text/x-list',
    'application/octet-stream',
    'application/json',
  ]) {
    assert.equal(textOf(await remote(answering('{"a":1}', type))), '{"a":1}', type);
  }
  await assert.rejects(
    remote(answering('x', 'image/png')),
    /content type should be one of: .*; https:\/\/example\.com\/list is image\/png/,
  );
});

test('an HTML page is not accepted as a list', async () => {
  for (const page of ['<!DOCTYPE html><p>', '\n <html lang="en">', '\ufeff<HTML>']) {
    await assert.rejects(remote(answering(page, 'text/html')), /answered an HTML page, not a list/, page);
  }
  assert.equal(textOf(await remote(answering('! <html>', 'text/html'))), '! <html>');
});

test('the charset of a response is used; an unknown one is read as UTF-8', async () => {
  const latin1 = new Uint8Array([0x62, 0xfc, 0x63, 0x68]);
  assert.equal(textOf(await remote(answering(latin1, 'text/plain; charset=ISO-8859-1'))), 'büch');
  assert.equal(textOf(await remote(answering(latin1, 'text/plain; x=y; Charset="latin1"'))), 'büch');
  assert.equal(textOf(await remote(answering(utf8('büch'), 'text/plain; charset=nobody-knows'))), 'büch');
  assert.equal(textOf(await remote(answering(latin1, 'text/plain'))), 'b\ufffdch');
});

test('a byte order mark selects UTF-16 with any charset', () => {
  const little = new Uint8Array([0xff, 0xfe, 0x61, 0x00, 0x16, 0x04]);
  const big = new Uint8Array([0xfe, 0xff, 0x00, 0x61, 0x04, 0x16]);
  assert.deepEqual(toUtf8(little), utf8('aЖ'));
  assert.deepEqual(toUtf8(big, 'utf-8'), utf8('aЖ'));
});

test('UTF-8 text is not copied', () => {
  for (const text of ['||a.com^', '\ufeffпример.рф']) {
    const bytes = utf8(text);
    assert.equal(toUtf8(bytes), bytes);
  }
});
