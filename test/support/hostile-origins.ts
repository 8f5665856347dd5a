import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { inTurn, says } from './net/origin.ts';

/** Behaviour of an origin: an HTTP server, or raw bytes. */
export type Behaviour =
  | { readonly listener: RequestListener }
  | { readonly bytes: string | Buffer; readonly afterwards?: (socket: Socket) => unknown };

/** A behaviour with its expected result: this rule or this error message, and the maximum number of requests. */
export type Hostile = {
  readonly what: string;
  readonly origin: Behaviour;
  readonly outcome: { readonly rule: string } | { readonly error: string };
  readonly asked?: number;
};

export const MIB = 2 ** 20;
const list = '||a.example^\n';
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

const answers = (...args: Parameters<typeof says>): Behaviour => ({ listener: says(...args) });
const turns = (...listeners: readonly RequestListener[]): Behaviour => ({ listener: inTurn(...listeners) });
const reset = (socket: Socket): unknown => socket.resetAndDestroy();
const hops =
  (count: number): RequestListener =>
  (request, response) => {
    const at = Number(request.url?.slice(1) ?? 0);
    if (at >= count) response.end(list);
    else response.writeHead(302, { location: `/${at + 1}` }).end();
  };
const endless: RequestListener = (_request, response) => {
  const piece = Buffer.from('||endless.example^\n'.repeat(50_000));
  const pour = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', pour);
  pour();
};

const bad = {
  truncated: 'Source failed: the connection ended before the whole body had arrived',
  large: 'Source failed: it is larger than the limit',
  coding: 'Source failed: the body cannot be decoded as its Content-Encoding says',
  http: 'Source failed: its server does not answer in valid HTTP',
  unreachable: 'Source failed: its server could not be reached',
  notList: 'Source failed: the answer is not a list: it is an HTML page, or no text at all',
  binary: 'Source failed: it is binary, not text',
  redirects: 'Source failed: its server redirects too many times',
  empty: 'Empty response received',
};

const coded = (coding: string, body: Buffer | string): Behaviour => answers(200, { 'content-encoding': coding }, body);

export const bombs: readonly (readonly [coding: string, body: Buffer])[] = [
  ['gzip', gzipSync(Buffer.alloc(100 * MIB, 'a'), { level: 9 })],
  ['br', brotliCompressSync(Buffer.alloc(100 * MIB, 'a'))],
];

const rule = { rule: '||a.example^' };

export const hostileOrigins: readonly Hostile[] = [
  {
    what: 'a body that is shorter than announced',
    origin: { bytes: `${ok}Content-Length: 99\r\n\r\n${list}` },
    outcome: { error: bad.truncated },
    asked: 4,
  },
  {
    what: 'a reset in the middle',
    origin: {
      bytes: `${ok}Transfer-Encoding: chunked\r\n\r\nff\r\n${list}`,
      afterwards: (socket) => setTimeout(() => reset(socket), 50),
    },
    outcome: { error: bad.truncated },
    asked: 4,
  },
  {
    what: 'a missing last chunk',
    origin: { bytes: `${ok}Transfer-Encoding: chunked\r\n\r\nd\r\n${list}\r\n` },
    outcome: { error: bad.truncated },
    asked: 4,
  },
  {
    what: 'a reset instead of an answer',
    origin: { bytes: '', afterwards: reset },
    outcome: { error: bad.unreachable },
    asked: 4,
  },
  { what: 'an end by hanging up', origin: { bytes: `${ok}\r\n${list}` }, outcome: rule, asked: 1 },
  { what: 'gzip', origin: coded('gzip', gzipSync(list)), outcome: rule, asked: 1 },
  {
    what: 'gzip in gzip in gzip',
    origin: coded(Array(1000).fill('gzip').join(), gzipSync(list)),
    outcome: { error: bad.coding },
    asked: 1,
  },
  { what: 'an unknown coding', origin: coded('compress', list), outcome: { error: bad.coding }, asked: 1 },
  { what: 'gzip that is none', origin: coded('gzip', list), outcome: { error: bad.coding }, asked: 1 },
  {
    what: 'gzip with rubbish behind',
    origin: coded('gzip', Buffer.concat([gzipSync(list), Buffer.alloc(50)])),
    outcome: { error: bad.coding },
    asked: 1,
  },
  { what: 'an endless body', origin: { listener: endless }, outcome: { error: bad.large }, asked: 1 },
  {
    what: 'an endless length',
    origin: { bytes: `${ok}Content-Length: 99999999999999\r\n\r\n`, afterwards: () => {} },
    outcome: { error: bad.large },
    asked: 1,
  },
  {
    what: 'two failures, then a list',
    origin: turns(says(500), says(502), says(200, {}, list)),
    outcome: rule,
    asked: 3,
  },
  { what: 'too many requests once', origin: turns(says(429), says(200, {}, list)), outcome: rule, asked: 2 },
  { what: 'failure for ever', origin: answers(500), outcome: { error: 'HTTP 500: Internal Server Error' }, asked: 4 },
  {
    what: 'a wait of an hour',
    origin: answers(503, { 'retry-after': '3600' }),
    outcome: { error: 'HTTP 503: Service Unavailable' },
    asked: 1,
  },
  { what: 'not found', origin: answers(404, {}, list), outcome: { error: 'HTTP 404: Not Found' }, asked: 1 },
  {
    what: 'forbidden, with words of its own',
    origin: { bytes: 'HTTP/1.1 403 Secret-Banner\r\nContent-Length: 6\r\n\r\nSecret' },
    outcome: { error: 'HTTP 403: Forbidden' },
    asked: 1,
  },
  {
    what: 'a status that nobody knows',
    origin: { bytes: 'HTTP/1.1 499 Secret-Banner\r\nContent-Length: 0\r\n\r\n' },
    outcome: { error: 'HTTP 499: Unknown Status' },
    asked: 1,
  },
  {
    what: 'a part that nobody asked for',
    origin: answers(206, { 'content-range': 'bytes 0-12/99' }, list),
    outcome: { error: 'HTTP 206: Partial Content' },
    asked: 1,
  },
  {
    what: 'not modified, to a first question',
    origin: answers(304),
    outcome: { error: 'HTTP 304: Not Modified' },
    asked: 1,
  },
  { what: 'nothing', origin: answers(200), outcome: { error: bad.empty }, asked: 1 },
  { what: 'blanks', origin: answers(200, {}, ' \r\n\t\n'), outcome: { error: bad.empty }, asked: 1 },
  {
    what: 'an HTML page',
    origin: answers(200, { 'content-type': 'text/html' }, '<!DOCTYPE html><title>Secret</title>'),
    outcome: { error: bad.notList },
    asked: 1,
  },
  {
    what: 'an HTML page that says it is text',
    origin: answers(200, { 'content-type': 'text/plain' }, '\n <HTML><body>Secret'),
    outcome: { error: bad.notList },
    asked: 1,
  },
  {
    what: 'a picture',
    origin: answers(200, { 'content-type': 'image/png' }, 'Secret'),
    outcome: { error: bad.notList },
    asked: 1,
  },
  {
    what: 'binary',
    origin: answers(200, {}, Buffer.from('||a^\n\0\x01Secret')),
    outcome: { error: bad.binary },
    asked: 1,
  },
  { what: 'a byte order mark', origin: answers(200, {}, `\ufeff${list}`), outcome: rule },
  { what: 'UTF-16', origin: answers(200, {}, Buffer.from(`\ufeff${list}`, 'utf16le')), outcome: rule },
  {
    what: 'a line of 63 MiB',
    origin: answers(200, {}, Buffer.concat([Buffer.from(list), Buffer.alloc(63 * MIB, 'x'), Buffer.from('\n||b^')])),
    outcome: rule,
  },
  {
    what: 'more than five million lines',
    origin: answers(200, {}, 'x\n'.repeat(5_000_001)),
    outcome: { error: 'Source failed: all sources together have more than 5,000,000 lines' },
  },
  {
    what: 'a header of 64 KiB',
    origin: answers(200, { 'x-long': 'a'.repeat(65_536) }, list),
    outcome: { error: bad.http },
    asked: 1,
  },
  {
    what: 'headers without end',
    origin: { bytes: `${ok}${'X: y\r\n'.repeat(100_000)}`, afterwards: () => {} },
    outcome: { error: bad.http },
    asked: 1,
  },
  {
    what: 'ten thousand early hints',
    origin: { bytes: `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000)}${ok}Content-Length: 13\r\n\r\n${list}` },
    outcome: rule,
    asked: 1,
  },
  {
    what: 'a body without headers',
    origin: { bytes: 'Secret-Banner\n||a^\n' },
    outcome: { error: bad.http },
    asked: 1,
  },
  {
    what: 'the banner of another service',
    origin: { bytes: 'SSH-2.0-Secret-Banner\r\n' },
    outcome: { error: bad.http },
    asked: 1,
  },
  {
    what: 'two lengths',
    origin: { bytes: `${ok}Content-Length: 13\r\nContent-Length: 5\r\n\r\n${list}` },
    outcome: { error: bad.http },
    asked: 1,
  },
  { what: 'five redirects', origin: { listener: hops(5) }, outcome: rule, asked: 6 },
  { what: 'six redirects', origin: { listener: hops(6) }, outcome: { error: bad.redirects }, asked: 6 },
  { what: 'a redirect to itself', origin: answers(302, { location: '/' }), outcome: { error: bad.redirects } },
];
