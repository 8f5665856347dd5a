import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slow } from '../../../test/support/kit/slow.ts';
import {
  a,
  addressesOf,
  answerTo,
  type Query,
  question,
  whyFailed,
} from '../../../test/support/resolver/upstream/messages.ts';
import { now, openOne, sleep } from '../../../test/support/resolver/upstream/one-upstream.ts';
import {
  type Connection,
  silence,
  startUpstream,
  startWire,
} from '../../../test/support/resolver/upstream/upstream.ts';

const LONG = { timeoutMs: 2000 };
const SHORT = { timeoutMs: 200 };

const numbered = (query: Query): Uint8Array =>
  answerTo(query, { answer: [a(query.name, `192.0.2.${Number(query.name.split('.')[0]!.slice(1)) % 256}`)] });

test('many queries share one connection', async (t) => {
  const server = await startUpstream(t);
  const upstream = openOne(t, server.tcpText);
  for (let i = 0; i < 20; i++)
    assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(server.connections(), 1);
  assert.equal(server.udpQueries.length, 0);
});

test('answers come in any order, and each finds its query', async (t) => {
  const held: (() => void)[] = [];
  const server = await startUpstream(t, {
    tcp: (query, { reply }) => {
      held.push(() => reply(numbered(query)));
      if (held.length === 80) for (const answer of held.reverse()) answer();
    },
  });
  const upstream = openOne(t, server.tcpText);
  const numbers = Array.from({ length: 80 }, (_, index) => index);
  const answers = await Promise.all(numbers.map((number) => upstream.ask(question(`n${number}.example`), LONG)));
  assert.deepEqual(
    answers.flatMap(addressesOf),
    numbers.map((number) => `192.0.2.${number}`),
  );
});

test('there are ten connections at most with a thousand queries each, and no id twice on one', async (t) => {
  const ids = new Map<Connection, Set<number>>();
  const server = await startUpstream(t, {
    tcp: (query, connection) => {
      const used = ids.get(connection) ?? new Set();
      assert.ok(!used.has(query.message.id));
      ids.set(connection, used.add(query.message.id));
    },
  });
  const upstream = openOne(t, server.tcpText);
  const answers = await Promise.all(
    Array.from({ length: 10_050 }, (_, index) => upstream.ask(question(`n${index}.example`), { timeoutMs: 3000 })),
  );
  const outcomes = Object.groupBy(answers, whyFailed);
  assert.equal(outcomes['timeout']?.length, 10_000);
  assert.equal(outcomes['busy']?.length, 50);
  assert.equal(server.connections(), 10);
  assert.deepEqual(
    [...ids.values()].map(({ size }) => size),
    Array.from({ length: 10 }, () => 1000),
  );
});

test('a connection that the server closed while idle is opened again', async (t) => {
  const server = await startUpstream(t);
  const upstream = openOne(t, server.tcpText);
  await upstream.ask(question('example.com'), LONG);
  for (const socket of server.sockets) socket.destroy();
  await sleep(20);
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(server.connections(), 2);
});

test('a query whose connection is closed under it is sent once more, on a new one', async (t) => {
  let asked = 0;
  const server = await startUpstream(t, {
    tcp: (query, { reply, socket }) => {
      asked++;
      if (asked === 2) socket.destroy();
      else reply(answerTo(query));
    },
  });
  const upstream = openOne(t, server.tcpText);
  for (const _ of [1, 2])
    assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(server.connections(), 2);
});

test('a server that takes connections and closes them is tried twice', async (t) => {
  const server = await startUpstream(t, { onConnect: (socket) => socket.destroy() });
  assert.equal(whyFailed(await openOne(t, server.tcpText).ask(question('example.com'), LONG)), 'closed');
  assert.equal(server.connections(), 2);
});

test('a server that says goodbye after the query is tried twice', async (t) => {
  const server = await startUpstream(t, { tcp: (_, { socket }) => void socket.end() });
  assert.equal(whyFailed(await openOne(t, server.tcpText).ask(question('example.com'), LONG)), 'closed');
  assert.equal(server.queries.length, 2);
});

test('a closed port is detected at once', async (t) => {
  const begun = now();
  assert.equal(whyFailed(await openOne(t, 'tcp://127.0.0.1:1').ask(question('example.com'), LONG)), 'unreachable');
  assert.ok(now() - begun < 1000);
});

for (const length of [0, 5])
  test(`a message of ${length} bytes ends the connection, and those that waited try another`, async (t) => {
    let connections = 0;
    const server = await startUpstream(t, {
      tcp: (query, { raw, reply }) => (connections === 1 ? raw(0, length, 1, 2, 3, 4, 5) : reply(answerTo(query))),
      onConnect: () => {
        connections++;
      },
    });
    assert.deepEqual(addressesOf(await openOne(t, server.tcpText).ask(question('example.com'), LONG)), ['192.0.2.1']);
    assert.equal(connections, 2);
  });

const stalls: Readonly<Record<string, readonly number[]>> = {
  'a long message of which little comes': [0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  'half a length': [0x00],
  nothing: [],
};
for (const [what, bytes] of Object.entries(stalls))
  test(`a server that sends ${what} runs out of time, and the connection is given up`, async (t) => {
    const server = await startUpstream(t, { tcp: (_, { raw }) => raw(...bytes) });
    const upstream = openOne(t, server.tcpText);
    assert.equal(whyFailed(await upstream.ask(question('example.com'), SHORT)), 'timeout');
    await sleep(20);
    assert.equal(upstream.counters().open, 0);
    assert.equal(server.sockets.size, 0);
  });

test('a slow answer does not cost the others their connection', async (t) => {
  const server = await startUpstream(t, {
    tcp: (query, { reply }) => void (query.name === 'slow.example' || reply(answerTo(query))),
  });
  const upstream = openOne(t, server.tcpText);
  const slow = upstream.ask(question('slow.example'), SHORT);
  await sleep(50);
  await upstream.ask(question('fast.example'), LONG);
  assert.equal(whyFailed(await slow), 'timeout');
  await upstream.ask(question('fast.example'), LONG);
  assert.equal(server.connections(), 1);
});

test('an answer to an aborted query is not taken for the answer to the next one', async (t) => {
  let late = (): void => {};
  const server = await startUpstream(t, {
    tcp: (query, { reply }) => {
      if (query.name !== 'slow.example') return reply(answerTo(query));
      late = () => reply(answerTo(query));
    },
  });
  const upstream = openOne(t, server.tcpText);
  const slow = upstream.ask(question('slow.example'), SHORT);
  await sleep(20);
  await upstream.ask(question('fast.example'), LONG);
  await slow;
  late();
  await sleep(20);
  assert.deepEqual(addressesOf(await upstream.ask(question('fast.example'), LONG)), ['192.0.2.1']);
  assert.equal(upstream.counters().mismatches, 0);
});

test('an answer that is truncated has no excuse on a connection', async (t) => {
  const server = await startUpstream(t, { tcp: (query, { reply }) => reply(answerTo(query, { truncated: true })) });
  assert.equal(whyFailed(await openOne(t, server.tcpText).ask(question('example.com'), LONG)), 'malformed');
});

test('an answer to another question is refused', async (t) => {
  const server = await startUpstream(t, {
    tcp: (query, { reply }) => {
      const bytes = Uint8Array.from(answerTo(query));
      bytes[13]! ^= 1;
      reply(bytes);
    },
  });
  assert.equal(whyFailed(await openOne(t, server.tcpText).ask(question('example.com'), LONG)), 'malformed');
});

test('an unsolicited message is counted and otherwise ignored', async (t) => {
  const server = await startUpstream(t, {
    tcp: (query, { reply }) => {
      const stray = Uint8Array.from(answerTo(query));
      stray[0]! ^= 0xff;
      reply(stray);
      reply(answerTo(query));
    },
  });
  const upstream = openOne(t, server.tcpText);
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(upstream.counters().mismatches, 1);
});

test('an idle connection is closed', async (t) => {
  const server = await startUpstream(t);
  const upstream = openOne(t, server.tcpText, { idleMs: 50 });
  await upstream.ask(question('example.com'), LONG);
  assert.equal(upstream.counters().open, 1);
  await sleep(150);
  assert.equal(upstream.counters().open, 0);
  assert.equal(server.sockets.size, 0);
});

test('an answer of 65,535 bytes is read, byte by byte as it may come', async (t) => {
  const server = await startUpstream(t, {
    tcp: (query, { socket }) => {
      const padding = { code: 12, data: new Uint8Array(65_535 - 12 - 17 - 16 - 11 - 4) };
      const bytes = answerTo(query, { edns: { udpSize: 1232, version: 0, dnssecOk: false, options: [padding] } });
      assert.equal(bytes.length, 65_535);
      const frame = Buffer.from([0xff, 0xff, ...bytes]);
      for (let at = 0; at < 50; at++) socket.write(frame.subarray(at, at + 1));
      setTimeout(() => socket.write(frame.subarray(50)), 10);
    },
  });
  assert.deepEqual(addressesOf(await openOne(t, server.tcpText).ask(question('example.com'), LONG)), ['192.0.2.1']);
});

test(
  'a thousand queries one after the other stay on one connection, and two thousand at a time on four',
  slow,
  async (t) => {
    const server = await startUpstream(t);
    const upstream = openOne(t, server.tcpText);
    for (let i = 0; i < 1000; i++) assert.equal((await upstream.ask(question('example.com'), LONG)).kind, 'answer');
    assert.equal(server.connections(), 1);
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => upstream.ask(question('example.com'), LONG)));
      assert.ok(answers.every(({ kind }) => kind === 'answer'));
    }
    assert.ok(server.connections() <= 4);
  },
);

test('stopping ends what waits and closes what is open', async (t) => {
  const server = await startUpstream(t, { tcp: silence });
  const upstream = openOne(t, server.tcpText);
  const asking = upstream.ask(question('example.com'), LONG);
  await sleep(30);
  upstream.stop();
  assert.equal(whyFailed(await asking), 'stopped');
  assert.equal(whyFailed(await upstream.ask(question('example.com'), LONG)), 'stopped');
  assert.equal(upstream.counters().open, 0);
});

test('a dead connection is replaced when a query requests a new one', async (t) => {
  const server = await startUpstream(t);
  const wire = await startWire(t, server.port);
  const clock = { aheadMs: 0 };
  const upstream = openOne(t, `tcp://127.0.0.1:${wire.port}`, { now: () => now() + clock.aheadMs });
  await upstream.ask(question('example.com'), LONG);
  clock.aheadMs += 1000;
  wire.cut();
  const lost = upstream.ask(question('example.com'), { timeoutMs: 500 });
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), { ...LONG, fresh: true })), ['192.0.2.1']);
  assert.equal(whyFailed(await lost), 'timeout');
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(upstream.counters().open, 1);
});
