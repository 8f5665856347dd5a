import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { readExtendedError } from '../src/dns/edns.ts';
import { queryFor } from '../src/dns/message.ts';
import { classes, optionCodes, rcodes, types } from '../src/dns/numbers.ts';
import { readMessage } from '../src/dns/read-message.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { until } from './support/dns.ts';
import { a, answerTo, name, type Query } from './support/resolver/upstream/messages.ts';
import { honest, saying, silence, startUpstream } from './support/resolver/upstream/upstream.ts';
import { startForEverybody } from './support/resolver.ts';

/** A client with one socket: sends queries, and collects the answers by name. */
async function openClient(t: TestContext, port: number) {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.setRecvBufferSize(4 << 20);
  const answers = new Map<number, ReturnType<typeof readMessage>>();
  socket.on('message', (bytes) => answers.set((bytes[0]! << 8) | bytes[1]!, readMessage(Uint8Array.from(bytes))));
  return {
    send(text: string, id: number): void {
      const question = { name: name(text), type: types.A, class: classes.IN };
      const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] };
      socket.send(writeMessage(queryFor(question, id, edns)));
    },
    answers,
    async answer(id: number) {
      const found = await until('the answer', async () => answers.get(id));
      assert.ok(found.ok);
      return found.value;
    },
  };
}

const addresses = ({ answer }: { answer: readonly { data: Uint8Array }[] }): string[] =>
  answer.map(({ data }) => data.join('.'));

type Client = Awaited<ReturnType<typeof openClient>>;

/**
 * The first query of a client is answered by the resolver thread, perhaps before the UDP thread has the client. Waits until the UDP
 * threads answer these clients from the cache, and thus also send their queries upstream.
 */
async function untilKnown({ adminPort }: { readonly adminPort: number }, clients: readonly Client[]): Promise<void> {
  const missed = async (): Promise<number> => {
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    return Number(/^weir_dns_udp_packets_total\{outcome="missed"\} (\d+)$/m.exec(metrics)?.[1]);
  };
  await until('UDP threads that know the clients', async () => {
    const before = await missed();
    for (const client of clients) client.answers.delete(0);
    for (const client of clients) client.send('first.example', 0);
    for (const client of clients) await client.answer(0);
    return (await missed()) === before || undefined;
  });
}

test('queries go upstream from random ports with random ids, and no port is used for long', async (t) => {
  const server = await startUpstream(t);
  const home = await startForEverybody(t, server.text, ['--udp-threads', '1']);
  const client = await openClient(t, home.service.ports.dns);
  await untilKnown(home.service, [client]);
  const before = server.udpQueries.length;
  const COUNT = 3000;
  for (let id = 1; id <= COUNT; id++) {
    client.send(`n${id}.example`, id);
    if (id % 100 === 0) await client.answer(id);
  }
  await until('all answers', async () => (client.answers.size > COUNT ? true : undefined));
  const ports = server.ports.slice(before);
  const ids = server.udpQueries.slice(before).map(({ message }) => message.id);
  const uses = Object.values(Object.groupBy(ports, (port) => port)).map((all) => all!.length);
  // 3,000 random choices of 1,024 sockets use about 970 of them.
  assert.ok(uses.length > 900, `${uses.length} ports`);
  assert.ok(Math.max(...uses) < 20, `${Math.max(...uses)} queries from one port`);
  assert.ok(Math.min(...ports) >= 10_240);
  t.diagnostic(`chi-square of ports ${chiSquare(ports.map((port) => (port - 10_240) / (65_536 - 10_240)))}`);
  // With 15 degrees of freedom a fair generator exceeds 60 once in four million runs; sockets are used about three times each.
  assert.ok(chiSquare(ids.map((id) => id / 65_536)) < 60);
  assert.ok(chiSquare(ids.map((id) => (id % 256) / 256)) < 60);
  assert.ok(chiSquare([...new Set(ports)].map((port) => (port - 10_240) / (65_536 - 10_240))) < 60);
  const mixed = server.udpQueries.slice(before).filter(({ message }) => hasCapitals(message.questions[0]!.name));
  assert.ok(mixed.length > COUNT * 0.9, `${mixed.length} names in mixed case`);
});

const hasCapitals = (bytes: Uint8Array): boolean => bytes.some((byte) => byte >= 0x41 && byte <= 0x5a);

/** Of fractions in 16 classes. */
function chiSquare(fractions: readonly number[]): number {
  const counts = Array.from({ length: 16 }, () => 0);
  for (const fraction of fractions) counts[Math.floor(fraction * 16)]! += 1;
  const expected = fractions.length / 16;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test('identical queries in flight are sent upstream once, and each client is answered', async (t) => {
  const server = await startUpstream(t);
  const home = await startForEverybody(t, server.text);
  const clients = await Promise.all(Array.from({ length: 8 }, () => openClient(t, home.service.ports.dns)));
  await untilKnown(home.service, clients);
  const times: number[] = [];
  server.change((query, reply) => {
    times.push(performance.now());
    setTimeout(() => reply(answerTo(query)), 50);
  });
  for (const [index, client] of clients.entries()) client.send(index % 2 ? 'same.example' : 'SAME.example', 7);
  for (const client of clients) {
    const answer = await client.answer(7);
    assert.deepEqual(addresses(answer), ['192.0.2.1']);
  }
  // On a busy machine the reply may be late: then the query is repeated.
  assert.equal(times.filter((time) => time < times[0]! + 150).length, 1);
});

/** A query over TCP; its answer. */
async function openTcpClient(t: TestContext, port: number) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return async (text: string) => {
    const message = writeMessage(queryFor({ name: name(text), type: types.A, class: classes.IN }, 7));
    socket.write(Buffer.concat([Buffer.from(Uint16Array.of(message.length).buffer).swap16(), message]));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    const answer = readMessage(Uint8Array.from(bytes.subarray(2)));
    assert.ok(answer.ok);
    return answer.value;
  };
}

test('a query over TCP and an identical one over UDP are sent upstream once, whichever is first', async (t) => {
  const server = await startUpstream(t);
  const home = await startForEverybody(t, server.text);
  const client = await openClient(t, home.service.ports.dns);
  const overTcp = await openTcpClient(t, home.service.ports.dns);
  await untilKnown(home.service, [client]);
  for (const first of ['udp', 'tcp']) {
    const text = `${first}.example`;
    const times: number[] = [];
    const { promise: isAsked, resolve: noteAsked } = Promise.withResolvers<void>();
    server.change((query, reply) => {
      times.push(performance.now());
      noteAsked();
      setTimeout(() => reply(answerTo(query)), 60);
    });
    client.answers.clear();
    const pending = first === 'tcp' ? overTcp(text) : client.send(text, 7);
    await isAsked;
    const second = first === 'tcp' ? client.send(text, 7) : overTcp(text);
    assert.deepEqual(addresses(await client.answer(7)), ['192.0.2.1']);
    assert.deepEqual(addresses((await pending) ?? (await second)!), ['192.0.2.1']);
    // On a busy machine the reply may be late: then the query is repeated.
    assert.equal(times.filter((time) => time < times[0]! + 150).length, 1, first);
  }
});

const asked = (queries: readonly Query[], text: string): number => queries.filter((one) => one.name === text).length;

test('answers from the cache do not wait for thousands of queries to a silent upstream', async (t) => {
  const server = await startUpstream(t);
  // Longer than a busy machine takes to read all queries: the failures come after it.
  const home = await startForEverybody(t, server.text, ['--upstream-timeout', '5s']);
  const client = await openClient(t, home.service.ports.dns);
  client.send('cached.example', 0);
  await client.answer(0);
  await untilKnown(home.service, [client]);
  server.change(silence);
  for (let id = 1; id <= 5000; id++) client.send(`n${id}.d${id % 50}.example`, id);
  client.send('cached.example', 60_000);
  assert.deepEqual(addresses(await client.answer(60_000)), ['192.0.2.1']);
  assert.equal(client.answers.size < 1000, true, 'the cached answer came before those of the silent upstream');
  server.change(honest);
  await until('an answer', async () => {
    client.send(`again${client.answers.size}.example`, 60_001);
    return client.answers.has(60_001) ? true : undefined;
  });
});

test('an answer with TTL 0 is passed on and not cached; an extended error of the upstream is passed on', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply) =>
      reply(
        answerTo(query, {
          answer: [{ ...a('x', '192.0.2.9', 0), name: query.message.questions[0]!.name }],
          edns: {
            udpSize: 1232,
            version: 0,
            dnssecOk: false,
            options: [{ code: optionCodes.extendedError, data: Uint8Array.of(0, 4) }],
          },
        }),
      ),
  });
  const home = await startForEverybody(t, server.text, ['--udp-threads', '1']);
  const client = await openClient(t, home.service.ports.dns);
  // Not cached: every query of the warm-up misses.
  client.send('first.example', 0);
  await client.answer(0);
  for (const id of [1, 2]) {
    client.send('zero.example', id);
    const { answer, edns } = await client.answer(id);
    assert.deepEqual(
      answer.map(({ ttl, data }) => [ttl, data.join('.')]),
      [[0, '192.0.2.9']],
    );
    const error = edns?.options.find(({ code }) => code === optionCodes.extendedError);
    assert.equal(readExtendedError(error!.data)?.code, 4);
  }
  assert.equal(asked(server.udpQueries, 'zero.example'), 2);
});

test('a silent upstream does not delay answers once it is known', async (t) => {
  const [quiet, good] = [await startUpstream(t, { udp: silence, tcp: silence }), await startUpstream(t)];
  const home = await startForEverybody(t, quiet.text, ['--upstream', good.text]);
  const client = await openClient(t, home.service.ports.dns);
  for (let id = 0; id < 40; id++) {
    client.send(`n${id}.example`, id);
    assert.equal((await client.answer(id)).rcode, rcodes.NOERROR);
  }
  const before = quiet.udpQueries.length;
  for (let id = 100; id < 300; id++) client.send(`n${id}.example`, id);
  for (let id = 100; id < 300; id++) assert.equal((await client.answer(id)).rcode, rcodes.NOERROR);
  // Only copies of queries, to see whether it is back.
  assert.ok(quiet.udpQueries.length - before < 20, `${quiet.udpQueries.length - before} queries`);
});

test('a reply without the cookie of an upstream that sends cookies is ignored', async (t) => {
  const sentCookies: number[] = [];
  const withCookie = (query: Query, address: string, hasCookie: boolean): Uint8Array => {
    const { edns, questions } = query.message;
    const cookie = edns?.options.find(({ code }) => code === optionCodes.cookie)?.data ?? new Uint8Array(0);
    sentCookies.push(cookie.length);
    const data = Uint8Array.from([...cookie.subarray(0, 8), ...new Uint8Array(16).fill(9)]);
    const options = hasCookie ? [{ code: optionCodes.cookie, data }] : [];
    return answerTo(query, {
      answer: [{ ...a('x', address), name: questions[0]!.name }],
      edns: { udpSize: 1232, version: 0, dnssecOk: false, options },
    });
  };
  const server = await startUpstream(t, {
    udp(query, reply) {
      if (query.name.startsWith('spoofed')) reply(withCookie(query, '203.0.113.66', false));
      setTimeout(() => reply(withCookie(query, '192.0.2.8', true)), 20);
    },
  });
  const home = await startForEverybody(t, server.text, ['--udp-threads', '1']);
  const client = await openClient(t, home.service.ports.dns);
  await untilKnown(home.service, [client]);
  for (const [nth, text] of ['second.example', 'third.example', 'spoofed.example'].entries()) {
    const id = nth + 1;
    client.send(text, id);
    assert.deepEqual(addresses(await client.answer(id)), ['192.0.2.8'], text);
  }
  assert.equal(Math.min(...sentCookies), 8);
  assert.equal(Math.max(...sentCookies), 24);
  // The log has the time that a query waited for its upstream, and none for an answer from the cache.
  client.send('second.example', 9);
  await client.answer(9);
  const [cached, waited] = await home.logged('second.example', 2);
  assert.equal(cached!.latency_millis, 0);
  assert.ok(waited!.latency_millis! >= 19, `${waited!.latency_millis} ms`);
});

test('a domain that is forwarded to two servers has the answers of the second while the first is silent', async (t) => {
  const [ordinary, quiet] = [await startUpstream(t), await startUpstream(t, { udp: silence, tcp: silence })];
  const good = await startUpstream(t, { udp: saying('192.0.2.44') });
  const forwards = [quiet, good].flatMap(({ text }) => ['--forward', `lan.example=${text}`]);
  const home = await startForEverybody(t, ordinary.text, ['--upstream-strategy', 'ordered', ...forwards]);
  const client = await openClient(t, home.service.ports.dns);
  client.send('host.lan.example', 1);
  assert.deepEqual(addresses(await client.answer(1)), ['192.0.2.44']);
  assert.ok(asked(quiet.udpQueries, 'host.lan.example') > 0, 'the first one was queried');
  assert.equal(asked(ordinary.udpQueries, 'host.lan.example'), 0);
});
