import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/support/kit/until.ts';
import { answersForTests, query, readAnswer } from '../../../test/support/resolver/transport/answers.ts';
import { askHttp2, askOn, http2Client, startDoh } from '../../../test/support/resolver/transport/doh.ts';
import { proxied, proxyHeader } from '../../../test/support/resolver/transport/proxy.ts';
import {
  type Client,
  framed,
  identityForTests,
  tcpClient,
  tlsClient,
} from '../../../test/support/resolver/transport/stream.ts';
import { defaultConnectionLimits } from './connections.ts';
import { listenDot, listenTcp } from './stream.ts';
import type { TcpListener, TcpListenerOptions } from './tcp-listener.ts';

const tls = await identityForTests();

async function startTcp(
  t: TestContext,
  options: Partial<TcpListenerOptions> = {},
  answers = answersForTests,
): Promise<TcpListener> {
  const listener = await listenTcp({ host: '127.0.0.1', port: 0, report: () => undefined, ...options }, answers);
  t.after(() => listener.stop());
  return listener;
}

async function isServed(client: Client): Promise<boolean> {
  client.ask(query(1, 'atOnce'));
  return (await client.next()) !== undefined;
}

test('one address may have so many busy connections; its neighbours have their own', async (t) => {
  let asked = 0;
  const limits = { perClient: 3 };
  const server = await startTcp(t, { limits }, { ...answersForTests, answerAsync: () => void asked++ });
  const { port } = server.address;
  for (let i = 0; i < 3; i++) (await tcpClient(t, { port, localAddress: '127.0.1.1' })).ask(query(1, 'never'));
  await until('all to be busy', () => asked === 3);
  const isServedAt = async (localAddress: string) => isServed(await tcpClient(t, { port, localAddress }));
  assert.equal(await isServedAt('127.0.1.1'), false);
  assert.equal(await isServedAt('127.0.1.2'), true);
  assert.equal(server.counts().refused, 1);
});

test('at the limit of an address its longest idle connection is closed for a new one', async (t) => {
  const server = await startTcp(t, { limits: { perClient: 2 } });
  const clients: Client[] = [];
  for (let i = 0; i < 4; i++) {
    const client = await tcpClient(t, server.address);
    assert.equal(await isServed(client), true);
    clients.push(client);
    await sleep(5);
  }
  await Promise.all(clients.slice(0, 2).map(({ closed }) => closed));
  assert.deepEqual([server.counts().evicted, server.counts().refused, server.counts().open], [2, 0, 2]);
  for (const client of clients.slice(2)) assert.equal(await isServed(client), true);
});

test('a place that is given up is free again', async (t) => {
  const server = await startTcp(t, { limits: { perClient: 1 } });
  for (let i = 0; i < 5; i++) {
    const client = await tcpClient(t, server.address);
    assert.equal(await isServed(client), true);
    client.socket.destroy();
    await client.closed;
    await until('the place', () => server.counts().open === 0);
  }
});

test('in a full house the one that is idle for longest makes room', async (t) => {
  const server = await startTcp(t, { limits: { connections: 3, resumeAt: 2 } });
  const clients: Client[] = [];
  for (let i = 0; i < 5; i++) {
    const client = await tcpClient(t, server.address);
    assert.equal(await isServed(client), true);
    clients.push(client);
    await sleep(5);
  }
  await Promise.all(clients.slice(0, 2).map(({ closed }) => closed));
  assert.equal(server.counts().evicted, 2);
  for (const client of clients.slice(2)) assert.equal(await isServed(client), true);
});

test('without an idle connection new ones are rejected until enough have closed', async (t) => {
  let asked = 0;
  const server = await startTcp(
    t,
    { limits: { connections: 4, resumeAt: 2 } },
    { ...answersForTests, answerAsync: () => void asked++ },
  );
  const busy: Client[] = [];
  for (let i = 0; i < 4; i++) {
    const client = await tcpClient(t, server.address);
    client.ask(query(1, 'never'));
    busy.push(client);
  }
  await until('all to be busy', () => asked === 4);
  assert.equal(await isServed(await tcpClient(t, server.address)), false);
  const leave = async (client: Client): Promise<void> => {
    const before = server.counts().open;
    // Reset, not ended: a half-closed client still waits for its answer.
    client.socket.resetAndDestroy();
    await until('his leaving', () => server.counts().open === before - 1);
  };
  await leave(busy[0]!);
  assert.equal(await isServed(await tcpClient(t, server.address)), false);
  await leave(busy[1]!);
  assert.equal(await isServed(await tcpClient(t, server.address)), true);
});

test('in a crowded house the idle are shown out sooner', async (t) => {
  const server = await startTcp(t, { limits: { connections: 5, crowdedIdleMs: 100 } });
  const clients = await Promise.all(Array.from({ length: 5 }, () => tcpClient(t, server.address)));
  for (const client of clients) assert.equal(await isServed(client), true);
  await Promise.race(clients.map(({ closed }) => closed));
  // Once fewer connections are open, the others may stay.
  await until('an eviction', () => server.counts().timedOut >= 1);
});

const LONG_MS = 600_000;
const patient = { ...defaultConnectionLimits.timeoutMs, hello: LONG_MS, first: LONG_MS };

test('a full listener evicts the oldest connection of the network that has most, also one that has sent nothing', async (t) => {
  const server = await startTcp(t, { limits: { connections: 20, resumeAt: 15, timeoutMs: patient } });
  const { port } = server.address;
  const idle = await tcpClient(t, { port, localAddress: '127.3.0.1' });
  assert.equal(await isServed(idle), true);
  for (let i = 0; i < 25; i++) await tcpClient(t, { port, localAddress: `127.1.0.${1 + (i % 2)}` });
  await until('all to have been seen', () => server.counts().accepted === 26);
  assert.deepEqual([server.counts().open, server.counts().evicted], [20, 6]);
  for (let i = 0; i < 25; i++) {
    const other = await tcpClient(t, { port, localAddress: '127.2.0.1' });
    assert.equal(await isServed(other), true);
    other.socket.destroy();
    await other.closed;
  }
  assert.equal(await isServed(idle), true);
});

test('busy connections of one network make room for another network', async (t) => {
  let asked = 0;
  const later = (): void => void asked++;
  const server = await startTcp(
    t,
    { limits: { connections: 4, resumeAt: 2 } },
    { ...answersForTests, answerAsync: later },
  );
  for (let i = 0; i < 4; i++) (await tcpClient(t, server.address)).ask(query(1, 'never'));
  await until('all to be busy', () => asked === 4);
  const other = await tcpClient(t, { ...server.address, localAddress: '127.2.0.1' });
  assert.equal(await isServed(other), true);
  assert.equal(server.counts().evicted, 1);
});

test('connections without a hello are closed after their time, and take no place of established ones', async (t) => {
  const limits = { connections: 2, perClient: 1000, timeoutMs: { ...defaultConnectionLimits.timeoutMs, hello: 300 } };
  const server = await listenDot({ host: '127.0.0.1', port: 0, report: () => undefined, tls, limits }, answersForTests);
  t.after(() => server.stop());
  const waiting = await Promise.all(Array.from({ length: 300 }, () => tcpClient(t, server.address)));
  await Promise.all(waiting.map(({ closed }) => closed));
  const { accepted, timedOut, evicted, refused } = server.counts();
  assert.deepEqual({ accepted, timedOut, evicted, refused }, { accepted: 0, timedOut: 300, evicted: 0, refused: 0 });
});

test('while many connections have sent no hello, each has less time for it', async (t) => {
  const limits = { hellos: 10, perClient: 1000, timeoutMs: patient, crowdedHelloMs: 100 };
  const server = await listenDot({ host: '127.0.0.1', port: 0, report: () => undefined, tls, limits }, answersForTests);
  t.after(() => server.stop());
  const few = await Promise.all(Array.from({ length: 8 }, () => tcpClient(t, server.address)));
  await until('all to have been seen', () => server.counts().open === 8);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(server.counts().timedOut, 0);
  const more = await Promise.all([tcpClient(t, server.address), tcpClient(t, server.address)]);
  await Promise.race([...few, ...more].map(({ closed }) => closed));
  await until('fewer connections', () => server.counts().open <= 8);
});

test('behind a proxy the networks of its clients share the places of handshakes', async (t) => {
  const limits = { hellos: 20, perClient: 1000, timeoutMs: patient, crowdedHelloMs: LONG_MS };
  const options = { host: '127.0.0.1', port: 0, report: () => undefined, tls, limits, proxies: isProxy };
  const server = await listenDot(options, answersForTests);
  t.after(() => server.stop());
  for (let i = 0; i < 40; i++) {
    const half = await tcpClient(t, server.address);
    half.socket.write(Buffer.concat([proxied({ ...client, client: `192.0.2.${i}` }), Buffer.from([22, 3, 1])]));
  }
  await until('evictions', () => server.counts().evicted >= 20);
  for (let i = 0; i < 10; i++) {
    const connection = await tcpClient(t, server.address);
    connection.socket.write(proxied({ ...client, client: `198.51.${i}.7` }));
    const secured = await tlsClient(t, { socket: connection.socket });
    assert.equal(await isServed(secured), true);
  }
});

const client = { client: '192.0.2.7', clientPort: 4711, local: '198.51.100.3', localPort: 853 };
const isProxy = (address: Uint8Array): boolean => address.join('.') === '127.0.0.1';
const seenBy = async (connection: Client): Promise<string | undefined> => {
  const answer = await connection.next();
  return answer && readAnswer(answer).client;
};

test('tcp: a trusted proxy says for whom it asks, in pieces or whole; a malformed header ends the connection', async (t) => {
  const { address } = await startTcp(t, { proxies: isProxy });
  const send = async (...pieces: readonly Uint8Array[]): Promise<string | undefined> => {
    const connection = await tcpClient(t, address);
    for (const piece of pieces) {
      connection.socket.write(piece);
      await sleep(2);
    }
    return seenBy(connection);
  };
  const asks = framed(query(1, 'atOnce'));
  const header = proxied(client);
  assert.equal(await send(Buffer.concat([header, asks])), '192.0.2.7');
  assert.equal(await send(header, asks), '192.0.2.7');
  assert.equal(await send(...Array.from(Buffer.concat([header, asks]), (byte) => Buffer.from([byte]))), '192.0.2.7');
  const v6 = proxied({ ...client, client: '2001:db8::7', local: '2001:db8::53' });
  assert.equal(await send(v6, asks), `20010db8${'0'.repeat(23)}7`);
  assert.equal(await send(proxyHeader(0x20, 0, new Uint8Array()), asks), '127.0.0.1');
  assert.equal(await send(asks), undefined);
  assert.equal(await send(Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.3 4711 853\r\n')), undefined);
});

test('tcp: the connections of a proxy count for those behind it', async (t) => {
  const { address, counts } = await startTcp(t, { proxies: isProxy, limits: { perClient: 2 } });
  const isServedFor = async (from: string): Promise<boolean> => {
    const connection = await tcpClient(t, address);
    connection.socket.write(proxied({ ...client, client: from }));
    return isServed(connection);
  };
  for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3']) assert.ok(await isServedFor(from));
  assert.equal(counts().evicted, 0);
  assert.ok(await isServedFor('192.0.2.1'));
  assert.equal(counts().evicted, 1);
});

test('tcp: PROXY headers are neither required nor trusted from other clients', async (t) => {
  const { address } = await startTcp(t, { proxies: isProxy });
  const stranger = { port: address.port, localAddress: '127.0.0.9' };
  assert.equal(await isServed(await tcpClient(t, stranger)), true);
  const liar = await tcpClient(t, stranger);
  liar.socket.end(Buffer.concat([proxied(client), framed(query(1, 'atOnce'))]));
  assert.equal(await liar.next(), undefined);
});

test('tcp: a proxy that never sends its header is shown out', async (t) => {
  const timeoutMs = { ...defaultConnectionLimits.timeoutMs, first: 100 };
  const server = await startTcp(t, { proxies: isProxy, limits: { timeoutMs } });
  await (await tcpClient(t, server.address)).closed;
  assert.equal(server.counts().timedOut, 1);
});

test('doh: the header of a proxy comes before TLS', async (t) => {
  const { address } = await startDoh(t, { proxies: isProxy });
  // The test's proxy: connects, sends the header, and forwards bytes.
  const proxy = createServer((inward) => {
    const outward = connect(address.port, '127.0.0.1');
    outward.write(proxied(client));
    inward.pipe(outward).pipe(inward);
    for (const socket of [inward, outward]) socket.on('error', () => socket.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  const { port } = proxy.address() as { port: number };
  const path = `/dns-query?dns=${query(1, 'atOnce').toString('base64url')}`;
  const session = await http2Client(t, port);
  for (let i = 0; i < 2; i++) {
    const { client: seen, clientPort, local } = readAnswer((await askOn(session, { path })).body);
    assert.deepEqual([seen, clientPort, local], ['192.0.2.7', 4711, '198.51.100.3']);
  }
  session.destroy();
  // Without a header the TLS handshake itself is malformed.
  await assert.rejects(Promise.race([askHttp2(t, address.port, { path }), sleep(300).then(() => Promise.reject())]));
});

test('without descriptors the listener lives on, and answers when there are some again', async (t) => {
  const script = new URL('../../../test/support/resolver/transport/tcp-listener-child.ts', import.meta.url).pathname;
  const child = spawn('sh', ['-c', 'ulimit -n 60; exec "$0" "$1"', process.execPath, script]);
  t.after(() => child.kill());
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(said.toString());
  const many = await Promise.all(Array.from({ length: 120 }, () => tcpClient(t, { port })));
  await sleep(100);
  for (const { socket } of many) socket.destroy();
  await sleep(100);
  assert.equal(await isServed(await tcpClient(t, { port })), true);
  assert.equal(child.exitCode, null);
});
