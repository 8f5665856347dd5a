import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/support/kit/until.ts';
import {
  answersForTests,
  describe,
  query,
  readAnswer,
  type Seen,
} from '../../../test/support/resolver/transport/answers.ts';
import { proxied } from '../../../test/support/resolver/transport/proxy.ts';
import { startUdpThread } from '../../../test/support/resolver/transport/udp-thread.ts';
import { libc } from '../../platform/libc.ts';
import type { Answers, Endpoint } from './listener.ts';
import { readUdpCounts, type UdpCount } from './udp-counts.ts';
import { listenUdp } from './udp-dgram.ts';
import { writeAddress, writeHeader } from './udp-layout.ts';
import { isUdpBatchPossible } from './udp-mmsg.ts';
import { sockaddr } from './udp-socket.ts';

type Server = {
  readonly address: Endpoint;
  readonly counts: () => Readonly<Record<UdpCount, number>>;
  readonly faults: readonly string[];
};
type Start = (t: TestContext, wanted: { host: string; port?: number; proxy?: string }) => Promise<Server>;

const possible = isUdpBatchPossible();
const skip = possible === true ? false : possible;

const startBatch: Start = async (t, wanted) => {
  const thread = await startUdpThread({ port: 0, ...wanted });
  t.after(() => thread.stop());
  return { ...thread, counts: () => readUdpCounts(thread.counts) };
};

const startDgram: Start = async (t, { host, port = 0, proxy }) => {
  const faults: string[] = [];
  const report = (problem: string, error?: unknown): void =>
    void faults.push(`${problem}: ${(error as Error).message}`);
  const proxies = proxy === undefined ? {} : { proxies: (address: Uint8Array) => address.join('.') === proxy };
  const listening = await listenUdp({ host, port, report, ...proxies }, answersForTests);
  t.after(() => listening.stop());
  return { ...listening, faults };
};

const implementations = [
  { name: 'batches', start: startBatch, skip },
  { name: 'dgram', start: startDgram, skip: false },
];

/** A connected socket, which receives only from the address it queries. */
async function client(t: TestContext, host: string, port: number): Promise<Socket> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  t.after(() => socket.close());
  socket.connect(port, host);
  await once(socket, 'connect');
  return socket;
}

async function ask(socket: Socket, bytes: Uint8Array): Promise<Seen | undefined> {
  const answered = once(socket, 'message', { signal: AbortSignal.timeout(10_000) });
  socket.send(bytes);
  try {
    const [answer] = (await answered) as [Buffer];
    return readAnswer(answer);
  } catch {
    return undefined;
  }
}

for (const { name, start, skip } of implementations) {
  test(`${name}: the handler gets the client's address and port and the local address`, { skip }, async (t) => {
    const server = await start(t, { host: '127.0.0.1' });
    const socket = await client(t, '127.0.0.1', server.address.port);
    assert.deepEqual(await ask(socket, query(7, 'atOnce')), {
      id: 7,
      length: 17,
      transport: 'udp',
      client: '127.0.0.1',
      clientPort: socket.address().port,
      local: '127.0.0.1',
    });
  });

  test(`${name}: a socket of both families sees IPv4 as IPv4`, { skip }, async (t) => {
    const server = await start(t, { host: '::' });
    const v4 = await ask(await client(t, '127.0.0.1', server.address.port), query(1, 'atOnce'));
    assert.deepEqual([v4?.client, v4?.local], ['127.0.0.1', '127.0.0.1']);
    const v6 = await ask(await client(t, '::1', server.address.port), query(2, 'atOnce'));
    const loopback = `${'00'.repeat(15)}01`;
    assert.deepEqual([v6?.client, v6?.local], [loopback, loopback]);
  });

  test(`${name}: a query that needs a lookup is answered later, from the same socket`, { skip }, async (t) => {
    const server = await start(t, { host: '::' });
    for (const host of ['127.0.0.1', '::1']) {
      const socket = await client(t, host, server.address.port);
      const seen = await ask(socket, query(3, 'later'));
      assert.deepEqual([seen?.id, seen?.length, seen?.clientPort], [3, 17, socket.address().port]);
    }
  });

  test(`${name}: an exception of the handler is logged, and the next query is answered`, { skip }, async (t) => {
    const server = await start(t, { host: '127.0.0.1' });
    const socket = await client(t, '127.0.0.1', server.address.port);
    socket.send(query(1, 'throw'));
    socket.send(query(2, 'drop'));
    assert.equal((await ask(socket, query(3, 'atOnce')))?.id, 3);
    await until('the fault to be told', () => server.faults.length > 0);
    assert.deepEqual(server.faults, ['answering a query failed: a fault in answering']);
    assert.equal(server.counts().dropped, 2);
  });

  test(`${name}: every packet is counted once, with its outcome`, { skip }, async (t) => {
    const server = await start(t, { host: '127.0.0.1' });
    const sockets = await Promise.all(Array.from({ length: 8 }, () => client(t, '127.0.0.1', server.address.port)));
    const ids = new Set<number>();
    let strays = 0;
    for (const [index, socket] of sockets.entries())
      socket.on('message', (answer) => {
        const id = answer.readUInt16BE();
        ids.add(id);
        if (id % sockets.length !== index) strays++;
      });
    const kinds = ['atOnce', 'later', 'atOnce', 'drop', 'atOnce'] as const;
    for (let id = 0; id < 2000; id++) {
      sockets[id % sockets.length]!.send(query(id, kinds[id % kinds.length]!));
      // No faster than they are read: packets that exceed the system's buffer are lost.
      if (id % 50 === 49) await until('all to be read', () => server.counts().received === id + 1);
    }
    await until('all answers', () => ids.size === 1600);
    const became = (): number => {
      const { received: _, ...counts } = server.counts();
      return Object.values(counts).reduce((sum, count) => sum + count);
    };
    // An answer is counted after it was sent: the client may have it before.
    await until('all to be counted', () => became() >= 2000);
    assert.equal(became(), 2000);
    const { received, answered, missed, dropped } = server.counts();
    assert.equal(received, 2000);
    assert.deepEqual([answered, missed, dropped], [1200, 400, 400]);
    assert.deepEqual([ids.size, strays], [1600, 0]);
  });

  test(`${name}: a trusted proxy says for whom it asks, others are taken as they are`, { skip }, async (t) => {
    const server = await start(t, { host: '0.0.0.0', proxy: '127.0.0.1' });
    const socket = await client(t, '127.0.0.1', server.address.port);
    const header = proxied({ client: '192.0.2.7', clientPort: 4711, local: '198.51.100.3', localPort: 53 });
    const seen = await ask(socket, Buffer.concat([header, query(5, 'atOnce')]));
    assert.deepEqual([seen?.client, seen?.clientPort, seen?.local], ['192.0.2.7', 4711, '198.51.100.3']);
    assert.equal((await ask(socket, Buffer.concat([header, query(6, 'later')])))?.client, '192.0.2.7');
    socket.send(query(7, 'atOnce'));
    await until('what has no header', () => server.counts().malformed > 0);
    assert.equal(server.counts().malformed, 1);
  });

  test(`${name}: a port in use is refused with the code that node gives`, { skip }, async (t) => {
    const server = await start(t, { host: '127.0.0.1' });
    await assert.rejects(start(t, { host: '127.0.0.1', port: server.address.port }), { code: 'EADDRINUSE' });
  });
}

test('batches: the source of the answer is the destination of the query', { skip }, async (t) => {
  for (const host of ['0.0.0.0', '::']) {
    const server = await startBatch(t, { host });
    for (const wish of ['atOnce', 'later'] as const) {
      const seen = await ask(await client(t, '127.0.0.2', server.address.port), query(1, wish));
      assert.equal(seen?.local, '127.0.0.2', `${host} ${wish}`);
    }
  }
});

test('dgram: the source of the answer is the destination of the query, if the machine has that address', async (t) => {
  const server = await startDgram(t, { host: '::' });
  for (const host of ['127.0.0.1', '::1'])
    assert.ok(await ask(await client(t, host, server.address.port), query(1, 'atOnce')), host);
});

test('dgram: a stop sends pending answers, and accepts no more queries', async (t) => {
  const waiting: (() => void)[] = [];
  const answers: Answers = {
    ...answersForTests,
    answerAsync: (asked, reply) => void waiting.push(() => reply(describe(asked))),
  };
  const server = await listenUdp({ host: '127.0.0.1', port: 0, report: () => undefined }, answers);
  const socket = await client(t, '127.0.0.1', server.address.port);
  const answered = ask(socket, query(7, 'later'));
  await until('the query', () => waiting.length > 0);
  const stopped = server.stop();
  socket.send(query(8, 'later'));
  await sleep(50);
  assert.equal(waiting.length, 1);
  waiting[0]!();
  assert.equal((await answered)?.id, 7);
  await stopped;
});

test('batches: two threads share one port', { skip }, async (t) => {
  const first = await startUdpThread({ host: '127.0.0.1', port: 0, reusePort: true });
  const second = await startUdpThread({ ...first.address, reusePort: true });
  t.after(() => Promise.all([first.stop(), second.stop()]));
  for (let i = 0; i < 40; i++)
    assert.ok(await ask(await client(t, '127.0.0.1', first.address.port), query(i, 'atOnce')));
  assert.ok(first.counts[0]! > 0 && second.counts[0]! > 0);
  assert.equal(first.counts[0]! + second.counts[0]!, 40);
});

test('batches: a query larger than any needs to be is dropped and counted', { skip }, async (t) => {
  const server = await startBatch(t, { host: '127.0.0.1' });
  const socket = await client(t, '127.0.0.1', server.address.port);
  socket.send(query(1, 'atOnce', 5000));
  assert.equal((await ask(socket, query(2, 'atOnce', 4096)))?.length, 4096);
  assert.equal(server.counts().oversized, 1);
});

test('batches: a packet from port 0 gets no answer', { skip: skip || process.getuid?.() !== 0 }, async (t) => {
  const server = await startBatch(t, { host: '127.0.0.1' });
  sendFromPort0(server.address.port, query(1, 'atOnce'));
  await until('the packet', () => server.counts().received > 0);
  assert.deepEqual([server.counts().received, server.counts().malformed], [1, 1]);
});

test('batches: dig gets an answer', { skip: skip || spawnSync('dig', ['-v']).error !== undefined }, async (t) => {
  const server = await startBatch(t, { host: '::' });
  for (const host of ['127.0.0.2', '::1']) {
    // AA without RD makes the third byte 4, which requests an echo.
    const flags = ['+tries=1', '+time=10', '+norecurse', '+aaflag', '+noedns'];
    const { stdout } = spawnSync('dig', [`@${host}`, '-p', `${server.address.port}`, ...flags, 'a.example']);
    assert.match(stdout.toString(), /status: NOERROR/, host);
  }
});

/** A raw socket: an ordinary one cannot send from port 0. */
function sendFromPort0(port: number, payload: Uint8Array): void {
  const calls = libc();
  assert.ok(typeof calls !== 'string');
  const fd = calls.socket(2, 3, 17);
  const packet = new Uint8Array(new ArrayBuffer(8 + payload.length));
  new DataView(packet.buffer).setUint16(2, port);
  new DataView(packet.buffer).setUint16(4, packet.length);
  packet.set(payload, 8);
  const peer = new Uint8Array(new ArrayBuffer(72));
  peer.set(sockaddr('v4', [127, 0, 0, 1], 0));
  const [words, iov] = [new Uint32Array(new ArrayBuffer(64)), new Uint32Array(new ArrayBuffer(16))];
  writeAddress(iov, 0, calls.addressOf(packet));
  iov[2] = packet.length;
  writeHeader(words, 0, 'v4', calls.addressOf(peer), calls.addressOf(new Uint8Array(iov.buffer)));
  words[10] = 0;
  assert.equal(calls.sendmsg(fd, calls.addressOf(new Uint8Array(words.buffer)), 0), packet.length);
  calls.close(fd);
}
