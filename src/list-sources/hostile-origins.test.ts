import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { failedAs, OPEN_HOST, openUrl, serviceReader } from '../../test/support/app/service-reader.ts';
import { httpOrigin, type Origin, rawOrigin, says } from '../../test/support/net/origin.ts';

const MIB = 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\n';

const silence = () => {};
const reset = (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 5);
const dripping = (text: string) => (socket: Socket) => {
  const drip = setInterval(() => socket.write(text), 5);
  socket.once('close', () => clearInterval(drip));
};
const endless = (socket: Socket) => {
  const line = '||endless.example^\n'.repeat(4000);
  const more = () => {
    while (!socket.destroyed && socket.write(line));
  };
  socket.on('drain', more);
  more();
};

type Behaviour = (t: TestContext) => Promise<Origin>;
const raw =
  (text: string | Buffer, then?: (socket: Socket) => unknown): Behaviour =>
  (t) =>
    rawOrigin(t, text, then);
const coded =
  (coding: string, body: string | Buffer): Behaviour =>
  (t) =>
    httpOrigin(t, says(200, { 'content-encoding': coding }, body));

const tooSlow = failedAs('its server took too long');
const tooLarge = failedAs('it is larger than the limit');
const cutOff = failedAs('the connection ended before the whole body had arrived');
const badCoding = failedAs('the body cannot be decoded as its Content-Encoding says');
const badHttp = failedAs('its server does not answer in valid HTTP');
const unreachable = failedAs('its server could not be reached');

const behaviours: Record<string, [Behaviour, { kind: string; message: string }]> = {
  'a body shorter than its length': [raw(`${OK}Content-Length: 9\r\n\r\n||a^`), cutOff],
  'a reset in the middle of a chunk': [raw(`${OK}Transfer-Encoding: chunked\r\n\r\n20\r\n||a`, reset), cutOff],
  'chunks without a last one': [raw(`${OK}Transfer-Encoding: chunked\r\n\r\n4\r\n||a^\r\n`), cutOff],
  'half a gzip body': [coded('gzip', gzipSync('||a^'.repeat(99)).subarray(0, 20)), cutOff],
  'a thousand codings': [coded(Array(1000).fill('gzip').join(), '||a^'), badCoding],
  'an unknown coding': [coded('zstd', '||a^'), badCoding],
  'plain text called gzip': [coded('gzip', '||a^'), badCoding],
  'garbage behind a gzip body': [coded('gzip', Buffer.concat([gzipSync('||a^'), Buffer.from('garbage')])), badCoding],
  'a body without end': [raw(`${OK}\r\n`, endless), tooLarge],
  'a length over the limit': [raw(`${OK}Content-Length: 99999999999\r\n\r\n`, silence), tooLarge],
  'a dripping body': [raw(`${OK}\r\n||a`, dripping('a')), tooSlow],
  'a dripping header': [raw(`${OK}X: `, dripping('a')), tooSlow],
  silence: [raw('', silence), tooSlow],
  'hints without end': [raw('', dripping('HTTP/1.1 103 Early Hints\r\n\r\n')), tooSlow],
  'a reset': [raw('', (socket) => socket.resetAndDestroy()), unreachable],
  'an end without a word': [raw(''), unreachable],
  'a header line of 64 KiB': [raw(`${OK}X: ${'a'.repeat(65_536)}\r\n\r\n`), badHttp],
  'two thousand header lines': [raw(`${OK}${'X: 1\r\n'.repeat(2000)}\r\n`), badHttp],
  'two lengths': [raw(`${OK}Content-Length: 3\r\nContent-Length: 4\r\n\r\n||a^`), badHttp],
  'a body without a header': [raw('||secret-banner.example^\n'), badHttp],
  'another protocol': [raw('SSH-2.0-secret-banner\r\n'), badHttp],
  'another protocol unasked': [
    raw('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: secret-banner\r\n\r\n'),
    badHttp,
  ],
  'part of a body': [
    raw('HTTP/1.1 206 secret-banner\r\n\r\n||a^'),
    { kind: 'failed', message: 'HTTP 206: Partial Content' },
  ],
  'no change since never': [
    raw('HTTP/1.1 304 secret-banner\r\n\r\n'),
    { kind: 'failed', message: 'HTTP 304: Not Modified' },
  ],
  'redirects without end': [
    (t) => httpOrigin(t, says(302, { location: '/' })),
    failedAs('its server redirects too many times'),
  ],
};

test('every hostile behaviour ends soon, with a plain message and closed connections', async (t) => {
  for (const [name, [behaviour, expected]] of Object.entries(behaviours)) {
    const origin = await behaviour(t);
    const settings = { timeoutMs: expected === tooSlow ? 300 : 60_000, maxBytes: 2 * MIB, maxRedirects: 5 };
    const started = performance.now();
    await assert.rejects(serviceReader({ settings })(openUrl(origin)), expected, name);
    assert.ok(performance.now() - started < 15_000, name);
    await origin.allClosed();
  }
});

test('an invalid certificate and a server without TLS have different errors', async (t) => {
  const origin = await httpOrigin(t, says(200));
  const read = serviceReader();
  await assert.rejects(
    read(`https://${OPEN_HOST}:${origin.port}/`),
    failedAs('there is no secure connection to its server'),
  );
});

test('a server that accepts no connections causes a timeout', async (t) => {
  const program = `
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
    });`;
  const deaf = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [port] = (await once(deaf.stdout, 'data')) as [Buffer];
  const fillers = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  t.after(() => {
    for (const socket of fillers) socket.destroy();
    deaf.kill();
  });
  await once(fillers[0]!, 'connect');
  const read = serviceReader({ settings: { connectTimeoutMs: 200, timeoutMs: 60_000 } });
  const started = performance.now();
  await assert.rejects(read(openUrl({ port: Number(port) })), tooSlow);
  assert.ok(performance.now() - started < 15_000);
});

test('a hundred megabytes in a hundred bytes cost little memory and time', async (t) => {
  const zeros = Buffer.alloc(100 * MIB);
  const bombs: Record<string, Buffer> = {
    br: brotliCompressSync(zeros, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
    gzip: gzipSync(zeros),
  };
  assert.ok(bombs['br']!.length < 200);
  const origin = await httpOrigin(t, (request, response) => {
    const coding = request.url?.slice(1) ?? '';
    response.writeHead(200, coding === '' ? {} : { 'content-encoding': coding }).end(bombs[coding] ?? '||a^');
  });
  // Reads in a separate process to measure its memory. The first read is a warm-up.
  const reader = JSON.stringify(new URL('../../test/support/app/service-reader.ts', import.meta.url).href);
  for (const coding of Object.keys(bombs)) {
    const program = `
      import { openUrl, serviceReader } from ${reader};
      await serviceReader()(openUrl({ port: ${origin.port} }));
      const { maxRSS } = process.resourceUsage();
      const before = process.cpuUsage();
      const { message } = await serviceReader()(openUrl({ port: ${origin.port} }, '${coding}')).catch((error) => error);
      const grownMiB = (process.resourceUsage().maxRSS - maxRSS) / 1024;
      const { user, system } = process.cpuUsage(before);
      console.log(JSON.stringify({ message, grownMiB, cpuMs: (user + system) / 1000 }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const { message, grownMiB, cpuMs } = JSON.parse(stdout);
    assert.equal(message, tooLarge.message);
    assert.ok(grownMiB < 50, `${coding}: ${grownMiB} MiB`);
    assert.ok(cpuMs < 5000, `${coding}: ${cpuMs} ms`);
  }
});

test('one line of 64 MiB is dropped and counted', async (t) => {
  const origin = await httpOrigin(t, says(200, {}, Buffer.alloc(64 * MIB, 'a')));
  const dropped: number[] = [];
  const read = serviceReader({ onDroppedLines: (_source, count) => dropped.push(count) });
  assert.equal((await read(openUrl(origin))).text, '');
  assert.deepEqual(dropped, [1]);
});

test('ten million lines are rejected', async (t) => {
  const origin = await httpOrigin(t, says(200, {}, Buffer.alloc(20_000_000, 'a\n')));
  const expected = failedAs('all sources together have more than 5,000,000 lines');
  await assert.rejects(serviceReader()(openUrl(origin)), expected);
});

test('text in another charset is decoded, and invalid bytes are replaced', async (t) => {
  const read = async (contentType: string, body: Buffer) => {
    const origin = await httpOrigin(t, says(200, { 'content-type': contentType }, body));
    return (await serviceReader()(openUrl(origin))).text;
  };
  assert.equal(
    await read('text/plain; charset=latin1', Buffer.from('||bücher.example^', 'latin1')),
    '||bücher.example^',
  );
  assert.equal(await read('text/plain', Buffer.from('||b\xfccher.example^', 'latin1')), '||b\ufffdcher.example^');
});
