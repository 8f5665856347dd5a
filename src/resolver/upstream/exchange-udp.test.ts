import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { slow } from '../../../test/support/kit/slow.ts';
import {
  a,
  addressesOf,
  answered,
  answerTo,
  type Query,
  question,
  record,
  whyFailed,
} from '../../../test/support/resolver/upstream/messages.ts';
import { now, openOne, sleep } from '../../../test/support/resolver/upstream/one-upstream.ts';
import { after, honest, silence, startUpstream } from '../../../test/support/resolver/upstream/upstream.ts';
import { queryFor } from '../../dns/message.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import { writeMessage } from '../../dns/write-message.ts';
import { nameText } from '../../kit/wire-name.ts';

const LONG = { timeoutMs: 2000 };
const SHORT = { timeoutMs: 150 };

test('an answer is given back scrubbed, with the time it took', async (t) => {
  const server = await startUpstream(t, { udp: after(5, honest) });
  const upstream = openOne(t, server.text);
  const answer = answered(await upstream.ask(question('example.com'), LONG));
  assert.deepEqual(addressesOf(answer), ['192.0.2.1']);
  assert.equal(answer.upstream, server.text);
  assert.ok(answer.elapsedMs >= 4 && answer.elapsedMs < 1000, `${answer.elapsedMs} ms`);
  assert.deepEqual([answer.bytes[0], answer.bytes[1]], [0, 0]);
  assert.equal(upstream.counters().open, 0);
});

test('a query has RD, EDNS with 1232 bytes, and the DNSSEC flags of the client', async (t) => {
  const server = await startUpstream(t);
  await openOne(t, server.text).ask(question('example.com', { dnssecOk: true, checkingDisabled: true }), LONG);
  const { message, bytes } = server.udpQueries[0]!;
  assert.equal(message.recursionDesired, true);
  assert.equal(message.checkingDisabled, true);
  assert.equal(message.edns?.udpSize, 1232);
  assert.equal(message.edns?.dnssecOk, true);
  assert.ok(bytes.length < 100);
});

test('an upstream that never answers is waited for as long as was said', async (t) => {
  const server = await startUpstream(t, { udp: silence });
  const upstream = openOne(t, server.text);
  const begun = now();
  assert.equal(whyFailed(await upstream.ask(question('example.com'), SHORT)), 'timeout');
  const tookMs = now() - begun;
  assert.ok(tookMs > 140 && tookMs < 600, `${tookMs} ms`);
  assert.equal(upstream.counters().open, 0);
});

test('a late answer is ignored', async (t) => {
  const server = await startUpstream(t, { udp: after(250, honest) });
  const upstream = openOne(t, server.text);
  assert.equal(whyFailed(await upstream.ask(question('late.example'), SHORT)), 'timeout');
  await sleep(200);
  server.change(honest);
  assert.deepEqual(addressesOf(await upstream.ask(question('late.example'), LONG)), ['192.0.2.1']);
});

const bad = (change: (bytes: Uint8Array, query: Query) => void) => (query: Query) => {
  const bytes = Uint8Array.from(answerTo(query));
  change(bytes, query);
  return bytes;
};
const notAnswers: Readonly<Record<string, (query: Query) => Uint8Array>> = {
  'another id': bad((bytes) => {
    bytes[0]! ^= 0xff;
  }),
  'another name': bad((bytes) => {
    bytes[13] = 'x'.charCodeAt(0);
  }),
  'another type': bad((bytes, query) => {
    bytes[12 + query.message.questions[0]!.name.length + 1] = types.AAAA;
  }),
  'another class': bad((bytes, query) => {
    bytes[12 + query.message.questions[0]!.name.length + 3] = 3;
  }),
  'other letters’ case': bad((bytes) => {
    for (let at = 13; at < 20; at++) bytes[at]! ^= 0x20;
  }),
  'no question': (query) => answerTo(query, { questions: [] }),
  'a query’s QR bit': bad((bytes) => {
    bytes[2]! &= 0x7f;
  }),
  'another opcode': bad((bytes) => {
    bytes[2]! |= 0x10;
  }),
  'a record that is cut off': (query) => answerTo(query).slice(0, -2),
  'counts that lie': bad((bytes) => {
    bytes[6] = 0xff;
  }),
  'less than a header': (query) => answerTo(query).slice(0, 7),
  nothing: () => new Uint8Array(),
};

for (const [what, packet] of Object.entries(notAnswers)) {
  test(`a packet with ${what} is not the answer, which is still waited for`, async (t) => {
    const server = await startUpstream(t, {
      udp: (query, reply) => {
        reply(packet(query));
        reply(packet(query));
        setTimeout(
          () =>
            reply(answerTo(query, { answer: [{ ...a('x', '192.0.2.7'), name: query.message.questions[0]!.name }] })),
          30,
        );
      },
    });
    const upstream = openOne(t, server.text);
    assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.7']);
    const { mismatches, malformed, movedToTcp } = upstream.counters();
    assert.equal(mismatches + malformed, 2);
    assert.equal(movedToTcp, 0);
  });

  test(`after three packets with ${what} the query is sent over TCP`, async (t) => {
    const server = await startUpstream(t, {
      udp: (query, reply) => {
        for (let i = 0; i < 3; i++) reply(packet(query));
      },
      tcp: (query, { reply }) => reply(answerTo(query, { answer: [a('example.com', '192.0.2.8')] })),
    });
    const upstream = openOne(t, server.text);
    assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.8']);
    assert.equal(upstream.counters().movedToTcp, 1);
    assert.equal(server.queries.length, 1);
  });
}

test('a packet from another port never arrives', async (t) => {
  const other = createSocket('udp4');
  other.bind(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const server = await startUpstream(t, {
    udp: (query, reply, from) => {
      const forged = answerTo(query, { answer: [a('example.com', '198.51.100.66')] });
      other.send(forged, from.port, from.address, () => setTimeout(() => reply(answerTo(query)), 20));
    },
  });
  const upstream = openOne(t, server.text);
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  assert.equal(upstream.counters().mismatches, 0);
});

const asked = 'www.abcdefghijklmnopqrstuvwxyz.example';
const echoes: Readonly<Record<string, (query: Query) => Uint8Array>> = {
  'point to the question': (query) => {
    const zone = query.message.questions[0]!.name.subarray(4);
    const soa = { ...record('x', types.SOA, Uint8Array.from([...zone, 0, ...new Uint8Array(20).fill(1)])), name: zone };
    return answerTo(query, { answer: [], authority: [soa] });
  },
  'are copied letter by letter': (query) => {
    const zone = query.message.questions[0]!.name.subarray(4);
    const header = Uint8Array.from(
      writeMessage({ ...queryFor(query.message.questions[0]!, query.message.id), response: true }),
    );
    header[9] = 1;
    return Buffer.concat([header, zone, Uint8Array.of(0, 2, 0, 1, 0, 0, 0, 9, 0, 1, 0)]);
  },
};
for (const [how, reply] of Object.entries(echoes))
  test(`the case of a name is random, and clients do not see it when names in the answer ${how}`, async (t) => {
    const server = await startUpstream(t, { udp: (query, send) => send(reply(query)) });
    const upstream = openOne(t, server.text);
    for (let i = 0; i < 5; i++) {
      const { message, bytes } = answered(await upstream.ask(question(asked), LONG));
      assert.equal(nameText(message.questions[0]!.name, 0), asked);
      assert.equal(nameText(message.authority[0]!.name, 0), 'abcdefghijklmnopqrstuvwxyz.example');
      assert.doesNotMatch(Buffer.from(bytes).toString('latin1'), /[A-Z]/);
    }
    const spellings = new Set(server.udpQueries.map(({ message }) => nameText(message.questions[0]!.name, 0)));
    assert.equal(spellings.size, 5);
  });

test('where an upstream does not keep the case, it can be left alone', async (t) => {
  const server = await startUpstream(t);
  const upstream = openOne(t, server.text, { mixesCase: false });
  await upstream.ask(question('abcdefghijklmnopqrstuvwxyz.example'), LONG);
  assert.equal(nameText(server.udpQueries[0]!.message.questions[0]!.name, 0), 'abcdefghijklmnopqrstuvwxyz.example');
});

test('after three replies in another case the names have one case for an hour', async (t) => {
  const lowerCase = (query: Query): Uint8Array => {
    const bytes = Uint8Array.from(answerTo(query));
    for (let at = 13; at < 45; at++) if (bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) bytes[at]! |= 0x20;
    return bytes;
  };
  const server = await startUpstream(t, { udp: (query, reply) => reply(lowerCase(query)) });
  let clock = 0;
  const upstream = openOne(t, server.text, { now: () => clock });
  const ask = async (): Promise<number> => {
    assert.deepEqual(addressesOf(await upstream.ask(question('abcdefghijklmnopqrstuvwxyz.example'), LONG)), [
      '192.0.2.1',
    ]);
    return upstream.counters().movedToTcp;
  };
  assert.deepEqual([await ask(), await ask(), await ask(), await ask(), await ask()], [1, 2, 3, 3, 3]);
  assert.equal(nameText(server.udpQueries.at(-1)!.message.questions[0]!.name, 0), 'abcdefghijklmnopqrstuvwxyz.example');
  clock = 3_600_001;
  assert.equal(await ask(), 4);
});

test('after FORMERR the query is repeated without EDNS, and later ones are sent without it', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply) => reply(answerTo(query, query.message.edns ? { rcode: rcodes.FORMERR, answer: [] } : {})),
  });
  let clock = 0;
  const upstream = openOne(t, server.text, { now: () => clock });
  for (const _ of [1, 2])
    assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
  const withEdns = () => server.udpQueries.map(({ message }) => message.edns !== undefined);
  assert.deepEqual(withEdns(), [true, false, false]);
  clock = 3_600_000;
  await upstream.ask(question('example.com'), LONG);
  assert.deepEqual(withEdns(), [true, false, false, true, false]);
});

test('FORMERR to everything is what the upstream says', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply) => reply(answerTo(query, { rcode: rcodes.FORMERR, answer: [] })),
  });
  const answer = answered(await openOne(t, server.text).ask(question('example.com'), LONG));
  assert.equal(answer.message.rcode, rcodes.FORMERR);
  assert.equal(server.udpQueries.length, 2);
});

test('FORMERR in a bare header is ignored over UDP; over TCP it means that EDNS is unsupported', async (t) => {
  const bare = ({ message: { id } }: Query): Uint8Array =>
    Uint8Array.of(id >> 8, id & 0xff, 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0);
  const server = await startUpstream(t, {
    udp: (query, reply) => {
      if (query.message.edns) for (let i = 0; i < 3; i++) reply(bare(query));
      else reply(answerTo(query));
    },
    tcp: (query, { reply }) => reply(bare(query)),
  });
  const upstream = openOne(t, server.text);
  assert.deepEqual(addressesOf(await upstream.ask(question('example.com'), LONG)), ['192.0.2.1']);
});

test('a truncated answer is queried again over TCP', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply) => reply(answerTo(query, { truncated: true, answer: [a('example.com', '198.51.100.66')] })),
  });
  const upstream = openOne(t, server.text);
  const answer = answered(await upstream.ask(question('example.com'), LONG));
  assert.deepEqual(addressesOf(answer), ['192.0.2.1']);
  assert.equal(answer.message.truncated, false);
  assert.deepEqual([server.udpQueries.length, server.queries.length], [1, 1]);
});

test('a closed port is detected at once, and queried twice at most', async (t) => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  const upstream = openOne(t, `127.0.0.1:${port}`);
  const begun = now();
  assert.equal(whyFailed(await upstream.ask(question('example.com'), LONG)), 'unreachable');
  assert.ok(now() - begun < 500);
});

test('ten thousand queries use thousands of ports and unpredictable ids', slow, async (t) => {
  const server = await startUpstream(t);
  const upstream = openOne(t, server.text);
  const total = 10_000;
  let failures = 0;
  const worker = async (): Promise<void> => {
    while (server.udpQueries.length < total) {
      const answer = await upstream.ask(question('example.com'), LONG);
      if (answer.kind === 'failed') failures++;
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  assert.ok(failures < 5, `${failures} failures`);
  const ports = new Set(server.ports);
  assert.ok(ports.size >= server.ports.length / 2, `${ports.size} ports in ${server.ports.length} queries`);
  assert.ok(Math.max(...ports) - Math.min(...ports) > 20_000);
  const ids = new Set(server.udpQueries.map(({ message }) => message.id));
  assert.ok(ids.size > 9000, `${ids.size} ids`);
});

test('a flood on a silent upstream shares ports, hundreds of them, and each takes a hundred queries at most', async (t) => {
  const server = await startUpstream(t, { udp: silence });
  const upstream = openOne(t, server.text);
  const asking: Promise<unknown>[] = [];
  // Not all at once: the server runs in this thread, and its buffer holds a few hundred packets.
  for (let batch = 0; batch < 80; batch++) {
    for (let i = 0; i < 25; i++) asking.push(upstream.ask(question('example.com'), { timeoutMs: 1500 }));
    await sleep(1);
  }
  assert.ok(upstream.counters().open <= 256, `${upstream.counters().open} sockets`);
  await Promise.all(asking);
  assert.equal(upstream.counters().open, 0);
  const byPort = new Map<number, number>();
  for (const port of server.ports) byPort.set(port, (byPort.get(port) ?? 0) + 1);
  assert.ok(byPort.size >= 64);
  assert.ok(Math.max(...byPort.values()) <= 100);
});

test('of queries that share a port each gets its own answer', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply) => {
      const last = query.name.split('.')[0]!.slice(1);
      setTimeout(
        () =>
          reply(
            answerTo(query, {
              answer: [{ ...a('x', `192.0.2.${Number(last) % 256}`), name: query.message.questions[0]!.name }],
            }),
          ),
        300,
      );
    },
  });
  const upstream = openOne(t, server.text);
  const asking: ReturnType<typeof upstream.ask>[] = [];
  for (let number = 0; number < 600; number++) {
    asking.push(upstream.ask(question(`n${number}.example`), LONG));
    if (number % 25 === 24) await sleep(2);
  }
  for (const [number, answer] of (await Promise.all(asking)).entries())
    assert.deepEqual(addressesOf(answer), [`192.0.2.${number % 256}`]);
});
