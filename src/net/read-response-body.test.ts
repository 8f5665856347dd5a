import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { httpOrigin, noWaiting, rawOrigin, says } from '../../test/support/net/origin.ts';
import { downloader } from './download.ts';
import { DownloadError } from './download-error.ts';
import type { DownloadSettings } from './download-settings.ts';
import type { Progress } from './read-response-body.ts';

const MIB = 1024 * 1024;
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const endless = (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write('a'.repeat(65_536)));
  };
  socket.on('drain', more);
  more();
};

const once = (settings: Partial<DownloadSettings> = {}) => downloader({ maxRetries: 0, ...settings });
const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();

test('a body is complete by its length, by its last chunk, or by the end of the connection', async (t) => {
  const bodies = [
    'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n||a.com^',
    `${chunked}3\r\n||a\r\n5\r\n.com^\r\n0\r\n\r\n`,
    'HTTP/1.1 200 OK\r\n\r\n||a.com^',
  ];
  for (const body of bodies) {
    const origin = await rawOrigin(t, body);
    assert.equal(textOf(await once()(origin.url)), '||a.com^', body);
  }
});

test('bytes are returned unchanged, in any charset', async (t) => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41, 0xe9, 0x0d, 0x0a]);
  const origin = await httpOrigin(t, says(200, { 'content-type': 'text/plain; charset=latin1' }, bytes));
  const downloaded = await once()(origin.url);
  assert.deepEqual(Buffer.from(downloaded.bytes), bytes);
  assert.equal(downloaded.contentType, 'text/plain; charset=latin1');
});

test('an empty body is valid, also with a Content-Encoding', async (t) => {
  const plain = await httpOrigin(t, says(200));
  assert.equal(textOf(await once()(plain.url)), '');
  const coded = await httpOrigin(t, says(200, { 'content-encoding': 'gzip', 'content-length': '0' }));
  assert.equal(textOf(await once()(coded.url)), '');
});

test('a body shorter than its length is truncated, and retried three times', async (t) => {
  const { waits, settings } = noWaiting();
  const origin = await rawOrigin(t, 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n||a.com^');
  await assert.rejects(downloader(settings)(origin.url), { failure: { kind: 'truncated' } });
  assert.equal(origin.connections.length, 4);
  assert.deepEqual(waits, [1000, 2000, 4000]);
});

test('a chunked body that ends before its last chunk is truncated', async (t) => {
  const withoutLast = await rawOrigin(t, `${chunked}8\r\n||a.com^\r\n`);
  await assert.rejects(once()(withoutLast.url), { failure: { kind: 'truncated' } });
  const midChunk = await rawOrigin(t, `${chunked}20\r\n||a`, (socket) =>
    setTimeout(() => socket.resetAndDestroy(), 10).unref(),
  );
  await assert.rejects(once()(midChunk.url), { failure: { kind: 'truncated' } });
});

test('a chunk without a length truncates the body, and is not quoted', async (t) => {
  const origin = await rawOrigin(t, `${chunked}2\r\n||\r\nsecret\r\n`, () => {});
  await assert.rejects(once()(origin.url), (error) => {
    assert.ok(error instanceof DownloadError);
    assert.deepEqual([error.failure, error.cause], [{ kind: 'truncated' }, undefined]);
    return true;
  });
});

test('a body without a length is truncated by a reset', async (t) => {
  const origin = await rawOrigin(t, 'HTTP/1.1 200 OK\r\n\r\n||a.com^', (socket) =>
    setTimeout(() => socket.resetAndDestroy(), 10).unref(),
  );
  await assert.rejects(once()(origin.url), { failure: { kind: 'truncated' } });
});

test('an encoded body is decoded, and an invalid one is not retried', async (t) => {
  const good = await httpOrigin(t, says(200, { 'content-encoding': 'gzip' }, gzipSync('||a.com^')));
  assert.equal(textOf(await once()(good.url)), '||a.com^');
  const plain = await httpOrigin(t, says(200, { 'content-encoding': 'gzip' }, '||a.com^'));
  await assert.rejects(downloader()(plain.url), { failure: { kind: 'bad encoding' } });
  assert.equal(plain.connections.length, 1);
});

test('stacked and unknown codings are refused before the body is read', async (t) => {
  for (const coding of ['gzip, gzip', Array(1000).fill('gzip').join(), 'zstd']) {
    const header = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n\r\n`;
    const origin = await rawOrigin(t, header, endless);
    await assert.rejects(downloader()(origin.url), { failure: { kind: 'bad encoding' } });
    await origin.allClosed();
    assert.equal(origin.connections.length, 1);
  }
});

test('a Content-Length over the limit is rejected without reading', async (t) => {
  const origin = await rawOrigin(t, 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', () => {});
  await assert.rejects(downloader({ maxWireBytes: 999_999 })(origin.url), { failure: { kind: 'too large' } });
  await origin.allClosed();
});

test('an endless body is stopped at the limit and its connection closed', async (t) => {
  for (const limit of [{ maxWireBytes: MIB }, { maxBytes: MIB }]) {
    const origin = await rawOrigin(t, 'HTTP/1.1 200 OK\r\n\r\n', endless);
    await assert.rejects(downloader(limit)(origin.url), { failure: { kind: 'too large' } });
    await origin.allClosed();
    assert.equal(origin.connections.length, 1);
    assert.ok(origin.connections[0]!.bytesWritten < 32 * MIB);
  }
});

test('a body at the limit is accepted, a larger one is not', async (t) => {
  const origin = await httpOrigin(t, says(200, {}, 'a'.repeat(1000)));
  assert.equal((await once({ maxWireBytes: 1000, maxBytes: 1000 })(origin.url)).bytes.length, 1000);
  await assert.rejects(once({ maxBytes: 999 })(origin.url), { failure: { kind: 'too large' } });
});

test('the limit counts decoded bytes, and stops there', async (t) => {
  const bomb = brotliCompressSync(Buffer.alloc(64 * MIB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  const origin = await httpOrigin(t, says(200, { 'content-encoding': 'br' }, bomb));
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(once({ maxBytes: 4 * MIB, maxRatio: 1e9 })(origin.url), { failure: { kind: 'too large' } });
  assert.ok(process.memoryUsage().arrayBuffers - before < 32 * MIB);
});

test('a body with a high compression ratio is rejected long before the size limit', async (t) => {
  const zeros = Buffer.alloc(48 * MIB);
  const bombs: [string, Buffer][] = [
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
  ];
  for (const [coding, bomb] of bombs) {
    const origin = await httpOrigin(t, says(200, { 'content-encoding': coding }, bomb));
    await assert.rejects(downloader()(origin.url), { failure: { kind: 'too large' } }, coding);
    assert.equal(origin.connections.length, 1);
  }
});

test('a small body may have any compression ratio', async (t) => {
  const bytes = gzipSync(Buffer.alloc(9 * MIB, '||ads.example^\n'));
  const origin = await httpOrigin(t, says(200, { 'content-encoding': 'gzip' }, bytes));
  assert.equal((await once()(origin.url)).bytes.length, 9 * MIB);
});

test('progress has the bytes received, and the total when it is known', async (t) => {
  let finish = () => {};
  const origin = await httpOrigin(t, (request, response) => {
    if (request.url === '/announced') response.setHeader('content-length', 10);
    response.write('first');
    finish = () => void response.end('later');
  });
  const progressOf = async (path: string) => {
    const seen: Progress[] = [];
    const onProgress = (progress: Progress) => {
      seen.push(progress);
      finish();
    };
    await once()(`${origin.url}${path}`, { onProgress });
    return seen;
  };
  assert.deepEqual(await progressOf('announced'), [
    { receivedBytes: 5, totalBytes: 10 },
    { receivedBytes: 10, totalBytes: 10 },
  ]);
  assert.deepEqual(await progressOf('open'), [{ receivedBytes: 5 }, { receivedBytes: 10 }]);
});
