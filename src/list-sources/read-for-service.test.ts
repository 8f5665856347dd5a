import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  failedAs,
  lookupIn,
  noFetcher,
  notFetched,
  openUrl,
  serviceReader,
} from '../../test/support/app/service-reader.ts';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { httpOrigin, inTurn, says } from '../../test/support/net/origin.ts';
import { toStrings } from '../compiler/lines/lines.ts';
import { readLines } from '../compiler/lines/read-lines.ts';
import { createWorkspace } from '../compiler/lines/workspace.ts';
import { preprocess } from '../compiler/sources/includes.ts';
import { downloader } from '../net/download.ts';
import { DownloadError } from '../net/download-error.ts';
import { readForService } from './read-for-service.ts';
import { SourceProblem } from './source-error-text.ts';

const list = says(200, { 'content-type': 'text/plain' }, '||a.example^');

test('a text in the request replaces its source, for any name', async (t) => {
  const sourceRoot = await temporaryFolder(t, { 'ads.txt': 'from the folder' });
  const sources = ['raw-rules', 'http://127.0.0.1/', 'ads.txt', '/etc/passwd', '||b.example^', '__proto__', ''];
  const preFetchedContent = Object.fromEntries(sources.map((source) => [source, `text of ${source}`]));
  const read = serviceReader({ preFetchedContent, sourceRoot });
  for (const source of sources) {
    for (const as of ['source', 'include', 'patterns'] as const) {
      assert.deepEqual(await read(source, as), { kind: 'named', text: `text of ${source}` }, source);
    }
  }
});

test('property names of Object.prototype are not texts of the request', async () => {
  const read = serviceReader({ preFetchedContent: {} });
  for (const source of ['constructor', 'toString', '__proto__']) await assert.rejects(read(source), noFetcher(source));
});

test('a URL is downloaded', async (t) => {
  const origin = await httpOrigin(t, list);
  assert.deepEqual(await serviceReader()(openUrl(origin)), { kind: 'url', text: '||a.example^' });
  assert.deepEqual(await serviceReader()(openUrl(origin), 'include'), { kind: 'url', text: '||a.example^' });
});

test('inline rules are allowed only as sources', async () => {
  const read = serviceReader();
  for (const source of ['||a.example^', '@@||a.example^', '0.0.0.0 a.example', 'a.example\nb.example']) {
    assert.deepEqual(await read(source), { kind: 'inline', text: source });
    await assert.rejects(read(source, 'include'), noFetcher(source.split('\n')[0]!));
    await assert.rejects(read(source, 'patterns'), noFetcher(source.split('\n')[0]!));
  }
});

test('other text has no fetcher, and is named by its beginning', async () => {
  const read = serviceReader();
  await assert.rejects(read('lists/ads.txt'), noFetcher('lists/ads.txt'));
  await assert.rejects(read('x'.repeat(300)), noFetcher('x'.repeat(200)));
  await assert.rejects(read('one\ntwo', 'include'), noFetcher('one'));
  await assert.rejects(read(''), noFetcher(''));
});

test('a file is read only from the allowed folder', async (t) => {
  const outside = await temporaryFolder(t, { 'lists/ads.txt': '||a.example^', 'secret.txt': 'secret' });
  const sourceRoot = join(outside, 'lists');
  await symlink('../secret.txt', join(sourceRoot, 'link'));
  await mkdir(join(sourceRoot, 'folder'));
  const read = serviceReader({ sourceRoot });
  const expected = { kind: 'file', text: '||a.example^' };
  for (const source of ['ads.txt', join(sourceRoot, 'ads.txt'), `file://${join(sourceRoot, 'ads.txt')}`]) {
    assert.deepEqual(await read(source, 'include'), expected);
    await assert.rejects(serviceReader()(source), noFetcher(source));
  }
  for (const source of ['../secret.txt', 'link', 'folder', 'none.txt', '/etc/passwd', 'file:///etc/passwd']) {
    await assert.rejects(read(source), noFetcher(source));
  }
  assert.equal((await read('||a.example^')).kind, 'inline');
});

test('an error of HTTP has the status and its standard name', async (t) => {
  const statuses: [number, string][] = [
    [404, 'HTTP 404: Not Found'],
    [500, 'HTTP 500: Internal Server Error'],
    [204, 'HTTP 204: No Content'],
    [599, 'HTTP 599: Unknown Status'],
  ];
  for (const [status, message] of statuses) {
    const origin = await httpOrigin(t, (_request, response) => void response.writeHead(status, 'Secret Banner').end());
    await assert.rejects(serviceReader()(openUrl(origin)), { kind: 'failed', message });
  }
});

test('an empty response is an error', async (t) => {
  for (const body of ['', ' \r\n\t', '\ufeff\n']) {
    const origin = await httpOrigin(t, says(200, {}, body));
    await assert.rejects(serviceReader()(openUrl(origin)), { kind: 'failed', message: 'Empty response received' });
  }
});

test('a response that is not a list is an error that quotes nothing of it', async (t) => {
  const expected = failedAs('the answer is not a list: it is an HTML page, or no text at all');
  for (const [type, body] of [
    ['text/html', '<!doctype html>secret'],
    ['image/secret', 'secret'],
  ] as const) {
    const origin = await httpOrigin(t, says(200, { 'content-type': type }, body));
    await assert.rejects(serviceReader()(openUrl(origin)), expected);
  }
});

test('an unknown name and a forbidden one have the same error', async () => {
  const lookup = lookupIn({ 'inside.example': ['10.0.0.1'], 'mixed.example': ['8.8.8.8', '::1'] });
  const busy = (code: string) => serviceReader({ settings: { lookup: failing(code) } });
  const read = serviceReader({ settings: { lookup } });
  for (const name of [
    'nowhere.example',
    'inside.example',
    'mixed.example',
    '10.0.0.1',
    'nowhere.example:25',
    '[::1]',
  ]) {
    await assert.rejects(read(`http://${name}/`), notFetched, name);
  }
  for (const code of ['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'EAI_FAIL']) {
    await assert.rejects(busy(code)('http://nowhere.example/'), notFetched, code);
  }
});

const failing =
  (code: string): ReturnType<typeof lookupIn> =>
  (_hostname, _options, callback) =>
    callback(Object.assign(new Error('secret'), { code }), []);

test('the message of every other failure discloses nothing', async () => {
  const failures: ConstructorParameters<typeof DownloadError>[1][] = [
    { kind: 'timeout' },
    { kind: 'unreachable', code: 'ECONNREFUSED' },
    { kind: 'unreachable', code: 'EHOSTUNREACH' },
    { kind: 'truncated' },
    { kind: 'too large' },
    { kind: 'bad encoding' },
    { kind: 'bad response' },
    { kind: 'tls', code: 'CERT_HAS_EXPIRED' },
    { kind: 'tls', code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
    { kind: 'too many redirects' },
  ];
  for (const failure of failures) {
    const download = () => Promise.reject(new DownloadError('http://10.0.0.1/', failure, new Error('secret')));
    const read = readForService({ download, maxSourceBytes: 1, maxCompilationBytes: 1 });
    await assert.rejects(read({ source: 'http://a.example/', as: 'source' }, AbortSignal.timeout(1000)), (error) => {
      assert.ok(error instanceof SourceProblem);
      assert.equal(error.kind, 'failed');
      assert.match(error.message, /^Source failed: [a-zA-Z ,-]+$/);
      assert.doesNotMatch(error.message, /[A-Z]{5}|secret/);
      // The operator sees the details.
      assert.match(inspect(error), /secret/);
      return true;
    });
  }
});

test('the messages of retries disclose nothing', async (t) => {
  const origin = await httpOrigin(
    t,
    inTurn((request) => void request.socket.resetAndDestroy(), says(500), list),
  );
  const told: string[] = [];
  const download = downloader({ sleep: () => Promise.resolve() });
  const read = readForService({ download, maxSourceBytes: 100, maxCompilationBytes: 100 });
  const onRetry = ({ reason }: { reason: string }) => told.push(reason);
  await read({ source: origin.url, as: 'source', onRetry }, AbortSignal.timeout(5000));
  assert.deepEqual(told, ['its server could not be reached', 'HTTP 500: Internal Server Error']);
});

test('an aborted read fails with the reason of the abort', async (t) => {
  const origin = await httpOrigin(t, () => {});
  const stop = new Error('the user left');
  const control = new AbortController();
  setTimeout(() => control.abort(stop), 20);
  await assert.rejects(serviceReader()(openUrl(origin), 'source', control.signal), stop);
});

test('a URL is downloaded once per compilation, in any spelling', async (t) => {
  const origin = await httpOrigin(t, list);
  const read = serviceReader();
  const spellings = [
    openUrl(origin),
    `http://l%69sts.EXAMPLE:${origin.port}`,
    `HTTP://lists.example:${origin.port}/#top`,
  ];
  await Promise.all(spellings.map((url) => read(url)));
  await read(openUrl(origin), 'include');
  assert.equal(origin.connections.length, 1);
  await serviceReader()(openUrl(origin));
  assert.equal(origin.connections.length, 2);
});

test('a source of any kind is rejected if it is larger than the limit', async (t) => {
  const origin = await httpOrigin(t, says(200, {}, 'x'.repeat(101)));
  const sourceRoot = await temporaryFolder(t, { 'ads.txt': 'x'.repeat(101) });
  const read = serviceReader({ maxSourceBytes: 100, sourceRoot, preFetchedContent: { raw: 'x'.repeat(101) } });
  for (const source of [openUrl(origin), 'ads.txt', 'raw', `||${'x'.repeat(99)}`]) {
    await assert.rejects(read(source), failedAs('it is larger than the limit'), source);
  }
  assert.equal((await read('||a^')).text, '||a^');
});

test('all reads of a compilation are counted together, repeated ones each time', async (t) => {
  const origin = await httpOrigin(t, says(200, {}, 'x'.repeat(40)));
  const read = serviceReader({ maxCompilationBytes: 120, preFetchedContent: { raw: 'x'.repeat(40) } });
  await read(openUrl(origin));
  await read('raw');
  await read(openUrl(origin), 'include');
  await assert.rejects(read('||a^'), failedAs('all sources together are larger than the limit'));
});

test('five million lines are the most that a compilation may have', async () => {
  const million = 'a\n'.repeat(1_000_000);
  const read = serviceReader({ preFetchedContent: { million } });
  for (let turn = 0; turn < 5; turn++) await read('million');
  await assert.rejects(read('||a^'), failedAs('all sources together have more than 5,000,000 lines'));
});

test('a line over 64 KiB is dropped and counted', async (t) => {
  const origin = await httpOrigin(t, says(200, {}, `a\n${'x'.repeat(65_537)}\n${'y'.repeat(65_536)}\nb`));
  const dropped: unknown[] = [];
  const read = serviceReader({ onDroppedLines: (source, count) => dropped.push([source, count]) });
  const { text } = await read(openUrl(origin));
  assert.equal(text, `a\n\n${'y'.repeat(65_536)}\nb`);
  await read(openUrl(origin));
  assert.deepEqual(dropped, [[openUrl(origin), 1]]);
});

test('text with NUL bytes is binary, UTF-16 is not', async (t) => {
  const binary = await httpOrigin(t, says(200, {}, Buffer.from('||a.example^\0')));
  await assert.rejects(serviceReader()(openUrl(binary)), failedAs('it is binary, not text'));
  // An error in the request itself is reported to the client.
  await assert.rejects(serviceReader()('||a.example^\0'), {
    kind: 'not allowed',
    message: 'Source failed: it is binary, not text',
  });
  const wide = await httpOrigin(t, says(200, {}, Buffer.from('\ufeff||a.example^', 'utf16le')));
  assert.equal((await serviceReader()(openUrl(wide))).text, '||a.example^');
});

/** The lines of a source with its includes inserted, as in a compilation. */
async function lines(source: string, read: ReturnType<typeof serviceReader>): Promise<string[]> {
  const { kind, text } = await read(source);
  const bytes = (content: string) => new TextEncoder().encode(content);
  const found = { source, kind };
  const readInclude = async (path: string) => {
    const included = await read(path, 'include');
    return { kind: included.kind, bytes: bytes(included.text) };
  };
  return toStrings(await preprocess(readLines(createWorkspace(), bytes(text), 0), found, readInclude));
}

test('rules of a request may include allowed URLs, but no local files', async (t) => {
  const origin = await httpOrigin(t, list);
  const sourceRoot = await temporaryFolder(t, { 'ads.txt': 'from the folder' });
  const including = (path: string) => `||b.example^\n!#include ${path}`;
  assert.deepEqual(await lines(including(openUrl(origin)), serviceReader()), ['||b.example^', '||a.example^']);
  for (const path of ['http://127.0.0.1/', '/etc/passwd', 'file:///etc/passwd', '../../etc/passwd', 'ads.txt']) {
    const prefetched = serviceReader({ preFetchedContent: { 'lists/raw': including(path) } });
    await assert.rejects(lines('lists/raw', prefetched), /not allowed|No fetcher/, path);
    await assert.rejects(lines(including(path), serviceReader()), /not allowed|No fetcher/, path);
  }
  assert.deepEqual(await lines(including('ads.txt'), serviceReader({ sourceRoot })), [
    '||b.example^',
    'from the folder',
  ]);
  await assert.rejects(lines(including('/etc/passwd'), serviceReader({ sourceRoot })), /No fetcher/);
});

test('a downloaded list includes from its own server only, even if a folder is allowed', async (t) => {
  const sourceRoot = await temporaryFolder(t, { 'ads.txt': 'from the folder' });
  const other = await httpOrigin(t, list);
  const paths = ['/etc/passwd', join(sourceRoot, 'ads.txt'), `file://${sourceRoot}/ads.txt`, openUrl(other), other.url];
  for (const path of paths) {
    const origin = await httpOrigin(t, inTurn(says(200, {}, `!#include ${path}`), says(404)));
    await assert.rejects(lines(openUrl(origin), serviceReader({ sourceRoot })), /HTTP 404|rejected with origin/, path);
  }
  assert.equal(other.connections.length, 0);
});
