import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { slow } from '../../../test/support/kit/slow.ts';
import { until } from '../../../test/support/kit/until.ts';
import { query } from '../../../test/support/resolver/transport/answers.ts';
import { askHttp2, askOn, http2Client, startDoh } from '../../../test/support/resolver/transport/doh.ts';
import {
  END_HEADERS,
  END_STREAM,
  frame,
  type RawHttp2,
  rawHttp2,
  requestHeaders,
} from '../../../test/support/resolver/transport/raw-http2.ts';
import { defaultConnectionLimits } from './connections.ts';
import type { TcpListener } from './tcp-listener.ts';

const pathFor = (wish: 'atOnce' | 'never'): string => `/dns-query?dns=${query(1, wish).toString('base64url')}`;

/** Sends until the server closes the connection; fails if it never does. */
async function sendUntilClosed(raw: RawHttp2, next: (round: number) => Buffer, rounds: number): Promise<number> {
  let round = 0;
  while (round < rounds && !raw.socket.destroyed) {
    raw.socket.write(next(round++));
    await sleep(1);
  }
  await Promise.race([raw.closed, sleep(2000)]);
  return round;
}

async function stillAnswers(t: TestContext, server: TcpListener): Promise<void> {
  assert.equal((await askHttp2(t, server.address.port, { path: pathFor('atOnce') })).status, 200);
  await until('all to be gone', () => server.counts().open === 0);
}

test('CVE-2023-44487: a client that opens streams only to reset them gets GOAWAY', async (t) => {
  const server = await startDoh(t);
  const raw = await rawHttp2(t, server.address.port);
  const cancel = Buffer.from([0, 0, 0, 8]);
  let id = -1;
  const flood = (): Buffer =>
    Buffer.concat(
      Array.from({ length: 50 }, () => {
        id += 2;
        const opened = frame('headers', END_HEADERS | END_STREAM, id, requestHeaders(pathFor('never')));
        return Buffer.concat([opened, frame('reset', 0, id, cancel)]);
      }),
    );
  const rounds = await sendUntilClosed(raw, flood, 200);
  assert.ok(rounds < 200 && raw.sawGoAway(), `${rounds}`);
  await stillAnswers(t, server);
});

test('CVE-2024-27983: headers that never end are ended', async (t) => {
  const server = await startDoh(t);
  const raw = await rawHttp2(t, server.address.port);
  const more = frame('continuation', 0, 1, Buffer.concat([Buffer.from([0x00, 1, 0x61, 100]), Buffer.alloc(100, 0x62)]));
  const begun = frame('headers', END_STREAM, 1, requestHeaders(pathFor('atOnce')));
  const rounds = await sendUntilClosed(raw, (round) => (round === 0 ? begun : more), 300);
  assert.ok(rounds < 300, `${rounds}`);
  await stillAnswers(t, server);
});

test('more headers than the limit are rejected', async (t) => {
  const server = await startDoh(t);
  const session = await http2Client(t, server.address.port);
  const headers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'y'.repeat(50)]));
  const { status } = await askOn(session, { path: pathFor('atOnce'), headers });
  assert.notEqual(status, 200);
  session.destroy();
  await stillAnswers(t, server);
});

for (const [name, payload] of [
  ['settings', Buffer.alloc(0)],
  ['ping', Buffer.alloc(8)],
] as const)
  test(`CVE-2026-3593: a flood of ${name} with unread answers uses no memory and ends`, slow, async (t) => {
    const server = await startDoh(t);
    const raw = await rawHttp2(t, server.address.port);
    raw.socket.pause();
    const before = process.memoryUsage().rss;
    const flood = Buffer.concat(Array.from({ length: 2000 }, () => frame(name, 0, 0, payload)));
    await sendUntilClosed(raw, () => flood, 200);
    assert.ok(process.memoryUsage().rss - before < 100_000_000);
    raw.socket.destroy();
    await stillAnswers(t, server);
  });

test('a flood of window updates is ended with GOAWAY', async (t) => {
  const server = await startDoh(t);
  const raw = await rawHttp2(t, server.address.port);
  const flood = Buffer.concat(
    Array.from({ length: 200 }, () => frame('windowUpdate', 0, 0, Buffer.from([0, 0, 0, 1]))),
  );
  const rounds = await sendUntilClosed(raw, () => flood, 200);
  t.diagnostic(`WINDOW_UPDATE frames sent before the connection ended: at most ${rounds * 200}`);
  assert.ok(rounds < 200 && raw.sawGoAway(), `${rounds}`);
  await stillAnswers(t, server);
});

test('a client with a closed window gets no answer, has at most 100 streams, and is disconnected', async (t) => {
  const timeoutMs = { ...defaultConnectionLimits.timeoutMs, busy: 500, idle: 500 };
  const server = await startDoh(t, { limits: { timeoutMs } });
  const raw = await rawHttp2(t, server.address.port);
  // SETTINGS_INITIAL_WINDOW_SIZE 0
  raw.socket.write(frame('settings', 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])));
  const opened = Array.from({ length: 300 }, (_, index) =>
    frame('headers', END_HEADERS | END_STREAM, 2 * index + 1, requestHeaders(pathFor('atOnce'))),
  );
  raw.socket.write(Buffer.concat(opened));
  await raw.closed;
  assert.equal(server.counts().timedOut, 1);
  await stillAnswers(t, server);
});
