import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Coding, decodeBody, parseCoding } from './decode-body.ts';
import { DownloadError, type Fail } from './download-error.ts';

const fail: Fail = (failure, cause) => new DownloadError('http://list.example/', failure, cause);
const text = '||ads.example^\n'.repeat(1000);
const bytewise = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.from([byte]));

async function* arriving(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function decode(coding: Coding, ...chunks: readonly Buffer[]): Promise<string> {
  const decoded: Buffer[] = [];
  for await (const chunk of decodeBody(arriving(chunks), coding, fail)) decoded.push(chunk);
  return Buffer.concat(decoded).toString();
}

const encodings: readonly [Coding, Buffer][] = [
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
];

test('a field names one coding or none', () => {
  assert.deepEqual(
    [undefined, '', 'identity', 'gzip', 'GZip', ' br ', 'x-gzip', 'deflate', 'identity, gzip'].map(parseCoding),
    ['none', 'none', 'none', 'gzip', 'gzip', 'br', 'x-gzip', 'deflate', 'gzip'],
  );
});

test('stacked and unknown codings are not supported', () => {
  const fields = ['gzip, gzip', 'gzip, br', Array(1000).fill('gzip').join(), 'zstd', 'compress', 'constructor'];
  for (const field of fields) assert.equal(parseCoding(field), 'unsupported', field);
});

test('every coding is decoded, in one piece and byte by byte', async () => {
  for (const [coding, bytes] of encodings) {
    assert.equal(await decode(coding, bytes), text, coding);
    assert.equal(await decode(coding, ...bytewise(bytes)), text, coding);
  }
});

test('all members of a gzip body are decoded', async () => {
  const two = Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]);
  assert.equal(await decode('gzip', two), 'one\ntwo\n');
  assert.equal(await decode('gzip', gzipSync('one\n'), gzipSync('two\n')), 'one\ntwo\n');
  assert.equal(await decode('gzip', ...bytewise(two)), 'one\ntwo\n');
});

test('a body that ends early is truncated, at any offset', async () => {
  for (const [coding, bytes] of encodings) {
    for (const length of [1, 5, Math.floor(bytes.length / 2), bytes.length - 1]) {
      await assert.rejects(decode(coding, bytes.subarray(0, length)), { failure: { kind: 'truncated' } }, coding);
    }
  }
  const second = gzipSync('two\n').subarray(0, 6);
  await assert.rejects(decode('gzip', gzipSync('one\n'), second), { failure: { kind: 'truncated' } });
});

test('an empty encoded body is truncated', async () => {
  await assert.rejects(decode('gzip'), { failure: { kind: 'truncated' } });
});

test('bytes after the end of the encoded body are an error', async () => {
  for (const [coding, bytes] of encodings) {
    for (const rest of [Buffer.from('garbage'), Buffer.alloc(8), Buffer.concat([Buffer.alloc(4), bytes])]) {
      const bad = { failure: { kind: 'bad encoding' } };
      await assert.rejects(decode(coding, Buffer.concat([bytes, rest])), bad, coding);
      await assert.rejects(decode(coding, bytes, rest), bad, coding);
    }
  }
});

test('plain text with a Content-Encoding is an error', async () => {
  for (const coding of ['gzip', 'br', 'deflate'] as const) {
    await assert.rejects(decode(coding, Buffer.from(text)), { failure: { kind: 'bad encoding' } }, coding);
  }
});

test('a network error is not reported as a decoding error', async () => {
  async function* breaking(): AsyncGenerator<Buffer> {
    yield gzipSync(text).subarray(0, 20);
    throw fail({ kind: 'too large' });
  }
  await assert.rejects(decodeBody(breaking(), 'gzip', fail).next(), { failure: { kind: 'too large' } });
});
