import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import {
  a,
  addressesOf,
  answered,
  answerTo,
  name,
  type Query,
  question,
  whyFailed,
} from '../../../test/support/resolver/upstream/messages.ts';
import { now, sleep } from '../../../test/support/resolver/upstream/one-upstream.ts';
import {
  after,
  honest,
  type OnDatagram,
  overTcp,
  saying,
  silence,
  startUpstream,
} from '../../../test/support/resolver/upstream/upstream.ts';
import { openAll } from '../../../test/support/resolver/upstream/upstreams.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import { nameText } from '../../kit/wire-name.ts';
import { inFlight } from './in-flight.ts';

const coded =
  (rcode: number): OnDatagram =>
  (query, reply) =>
    reply(answerTo(query, { rcode, answer: [] }));

test('a query is answered, with its name in lower case', async (t) => {
  const server = await startUpstream(t);
  const { resolve } = openAll(t, { upstreams: [server.text] });
  const { message, upstream } = answered(await resolve(question('WWW.Example.COM')));
  assert.equal(nameText(message.questions[0]!.name, 0), 'www.example.com');
  assert.equal(nameText(message.answer[0]!.name, 0), 'www.example.com');
  assert.equal(upstream, server.text);
});

test('a thousand equal concurrent queries are one upstream query', async (t) => {
  const server = await startUpstream(t, { tcp: overTcp(after(30, honest)) });
  const { resolve, status } = openAll(t, { upstreams: [server.tcpText] });
  const spelled = ['example.com', 'EXAMPLE.com', 'exAMPle.COM'];
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, index) => resolve(question(spelled[index % 3]!))));
  for (const answer of answers) assert.deepEqual(addressesOf(answer), ['192.0.2.1']);
  assert.equal(server.queries.length, 1);
  assert.equal(status().shared, 999);
  assert.equal(status().inFlight, 0);
});

test('questions that may have different answers are not joined', async (t) => {
  const server = await startUpstream(t, { tcp: overTcp(after(30, honest)) });
  const { resolve } = openAll(t, { upstreams: [server.tcpText] });
  await Promise.all([
    resolve(question('example.com')),
    resolve(question('example.com', { type: types.AAAA })),
    resolve(question('example.com', { dnssecOk: true })),
    resolve(question('example.com', { checkingDisabled: true })),
    resolve(question('example.com', { clientSubnet: Uint8Array.of(0, 1, 24, 0, 192, 0, 2) })),
    resolve(question('example.com', { clientSubnet: Uint8Array.of(0, 1, 24, 0, 192, 0, 3) })),
    resolve(question('www.example.com')),
    resolve({ ...question('x'), name: Uint8Array.from([3, 97, 46, 98, 0]) }),
    resolve({ ...question('x'), name: Uint8Array.from([1, 97, 1, 98, 0]) }),
  ]);
  assert.equal(server.queries.length, 9);
});

test('one name for a thousand subnets causes a few upstream queries, and a failure for the other clients', async (t) => {
  const server = await startUpstream(t, { tcp: overTcp(after(50, honest)) });
  const { resolve, status } = openAll(t, { upstreams: [server.tcpText] });
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) =>
      resolve(question('example.com', { clientSubnet: Uint8Array.of(0, 1, 24, 0, 10, index >> 8, index & 0xff) })),
    ),
  );
  assert.equal(server.queries.length, 10);
  assert.equal(answers.filter((answer) => answer.kind === 'failed' && answer.why === 'busy').length, 990);
  assert.equal(status().refused, 990);
});

test('a flood of made-up names does not keep others from being resolved', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply, from) => (query.name.endsWith('flood.example') ? undefined : honest(query, reply, from)),
  });
  const places = inFlight({ total: 100, perDomain: 20, contendedFrom: 30, perName: 10 });
  const { resolve, status } = openAll(t, { upstreams: [server.text], timeoutMs: 1000 }, { inFlight: places });
  const flood = Array.from({ length: 300 }, (_, index) => resolve(question(`x${index}.flood.example`)));
  await sleep(20);
  for (let index = 0; index < 20; index++)
    assert.equal((await resolve(question(`www.site${index}.example`))).kind, 'answer');
  assert.ok(status().refused >= 270);
  await Promise.all(flood);
  assert.equal(status().inFlight, 0);
});

for (const [what, rcode] of [
  ['SERVFAIL', rcodes.SERVFAIL],
  ['REFUSED', rcodes.REFUSED],
  ['NOTIMP', rcodes.NOTIMP],
] as const) {
  test(`after ${what} the next upstream is queried`, async (t) => {
    const first = await startUpstream(t, { udp: coded(rcode) });
    const second = await startUpstream(t, { udp: saying('192.0.2.2') });
    const { resolve } = openAll(t, { upstreams: [first.text, second.text], strategy: 'ordered' });
    assert.deepEqual(addressesOf(await resolve(question('example.com'))), ['192.0.2.2']);
  });

  test(`${what} of all upstreams is passed on, and not queried again at once`, async (t) => {
    const first = await startUpstream(t, { tcp: overTcp(coded(rcode)) });
    const second = await startUpstream(t, { tcp: overTcp(coded(rcode)) });
    const { resolve, status } = openAll(t, { upstreams: [first.tcpText, second.tcpText] });
    for (let i = 0; i < 10; i++) assert.equal(answered(await resolve(question('example.com'))).message.rcode, rcode);
    assert.deepEqual([first.queries.length, second.queries.length], [1, 1]);
    assert.equal(status().recalled, 9);
    await resolve(question('other.example'));
    assert.equal(first.queries.length, 2);
    assert.deepEqual(
      status().upstreams.map(({ state }) => state),
      ['in', 'in'],
    );
  });
}

test('an upstream that refuses what another answers is put out', async (t) => {
  const bad = await startUpstream(t, { tcp: overTcp(coded(rcodes.REFUSED)) });
  const good = await startUpstream(t, {});
  const { resolve, statusOf, events } = openAll(t, { upstreams: [bad.tcpText, good.tcpText], strategy: 'ordered' });
  for (let i = 0; i < 6; i++) assert.deepEqual(addressesOf(await resolve(question(`n${i}.example`))), ['192.0.2.1']);
  assert.equal(statusOf(bad.tcpText).state, 'out');
  assert.equal(bad.queries.length, 3);
  assert.deepEqual(
    events.map((event) => [event.kind, 'upstream' in event && event.upstream]),
    [['upstream out', bad.tcpText]],
  );
});

test('a failure is forgotten after its time', async (t) => {
  const server = await startUpstream(t, { udp: coded(rcodes.SERVFAIL) });
  const clock = { aheadMs: 0 };
  const { resolve } = openAll(t, { upstreams: [server.text] }, { now: () => now() + clock.aheadMs });
  await resolve(question('example.com'));
  server.change(honest);
  assert.equal(answered(await resolve(question('example.com'))).message.rcode, rcodes.SERVFAIL);
  clock.aheadMs += 1050;
  assert.equal(answered(await resolve(question('example.com'))).message.rcode, rcodes.NOERROR);
});

test('an alias that leads back to itself is a failure, and no storm', async (t) => {
  const circle: OnDatagram = (query, reply) => {
    const owner = query.message.questions[0]!.name;
    reply(answerTo(query, { answer: [{ ...a('x'), name: owner, type: types.CNAME, data: owner }] }));
  };
  const servers = [await startUpstream(t, { tcp: overTcp(circle) }), await startUpstream(t, { tcp: overTcp(circle) })];
  const { resolve, status } = openAll(t, { upstreams: servers.map(({ tcpText }) => tcpText) });
  for (let i = 0; i < 20; i++) assert.equal(whyFailed(await resolve(question('circle.example'))), 'malformed');
  assert.deepEqual(
    servers.map(({ queries }) => queries.length),
    [1, 1],
  );
  assert.deepEqual(
    status().upstreams.map(({ state }) => state),
    ['in', 'in'],
  );
});

test('records that do not belong to the question are dropped', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply) => {
      const owner = query.message.questions[0]!.name;
      reply(
        answerTo(query, {
          answer: [a('bank.example', '198.51.100.66'), { ...a('x'), name: owner }, a('other.example', '198.51.100.66')],
          authority: [
            { ...a('x'), name: name('com'), type: types.NS, data: name('ns.evil.example') },
            { ...a('x'), name: name('bank.example'), type: types.NS, data: name('ns.evil.example') },
          ],
          additional: [a('ns.evil.example', '198.51.100.66')],
        }),
      );
    },
  });
  const { message, bytes } = answered(
    await openAll(t, { upstreams: [server.text] }).resolve(question('www.example.com')),
  );
  assert.deepEqual(
    message.answer.map((record) => nameText(record.name, 0)),
    ['www.example.com'],
  );
  assert.deepEqual(
    message.authority.map((record) => nameText(record.name, 0)),
    ['com'],
  );
  assert.deepEqual(message.additional, []);
  assert.equal(Buffer.from(bytes).indexOf('bank'), -1);
});

test('options of the upstream, and its OPT, go no further', async (t) => {
  const edns = {
    udpSize: 4096,
    version: 0,
    dnssecOk: true,
    options: [
      { code: 3, data: Uint8Array.of(1) },
      { code: 10, data: new Uint8Array(16) },
    ],
  };
  const server = await startUpstream(t, { udp: (query, reply) => reply(answerTo(query, { edns })) });
  const { message, bytes } = answered(await openAll(t, { upstreams: [server.text] }).resolve(question('example.com')));
  assert.equal(message.edns, undefined);
  assert.equal(bytes[11], 0);
});

test('the scope of an answer for a subnet is returned, and never wider than requested', async (t) => {
  const scoped =
    (bits: number): OnDatagram =>
    (query, reply) => {
      const [option] = query.message.edns!.options;
      const data = Uint8Array.from(option!.data);
      data[3] = bits;
      reply(answerTo(query, { edns: { ...query.message.edns!, options: [{ code: 8, data }] } }));
    };
  const clientSubnet = Uint8Array.of(0, 1, 24, 0, 192, 0, 2);
  const server = await startUpstream(t);
  const { resolve } = openAll(t, { upstreams: [server.text] });
  for (const [said, taken] of [
    [0, 0],
    [20, 20],
    [24, 24],
    [32, 24],
  ] as const) {
    server.change(scoped(said));
    assert.equal(answered(await resolve(question(`n${said}.example`, { clientSubnet }))).subnetScope, taken);
  }
  server.change(honest);
  assert.equal(answered(await resolve(question('none.example', { clientSubnet }))).subnetScope, 0);
  assert.equal(answered(await resolve(question('plain.example'))).subnetScope, undefined);
});

test('local names and reserved names are not sent to upstreams', async (t) => {
  const server = await startUpstream(t);
  const { resolve, status } = openAll(t, { upstreams: [server.text] });
  const reverse = answered(await resolve(question('1.1.168.192.in-addr.arpa', { type: types.PTR })));
  assert.equal(reverse.message.rcode, rcodes.NXDOMAIN);
  assert.equal(reverse.upstream, 'local');
  assert.deepEqual(addressesOf(await resolve(question('LocalHost'))), ['127.0.0.1']);
  assert.equal(status().local, 2);
  assert.equal(server.udpQueries.length, 0);
});

test('names under a domain go to its own upstreams, the longest domain first, and nowhere else', async (t) => {
  const [world, office, lab, router] = await Promise.all(
    ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((address) => startUpstream(t, { udp: saying(address) })),
  );
  const { resolve } = openAll(t, {
    upstreams: [world!.text],
    forward: [
      { domains: ['corp.example', 'local'], upstreams: [office!.text] },
      { domains: ['lab.corp.example'], upstreams: [lab!.text] },
      { domains: ['*.public.corp.example'], upstreams: [] },
      { domains: ['168.192.in-addr.arpa'], upstreams: [router!.text] },
    ],
  });
  const answers = {
    'www.example.com': '192.0.2.1',
    'corp.example': '192.0.2.2',
    'A.Corp.Example': '192.0.2.2',
    'notcorp.example': '192.0.2.1',
    'x.lab.corp.example': '192.0.2.3',
    'www.public.corp.example': '192.0.2.1',
    'printer.local': '192.0.2.2',
    '1.1.168.192.in-addr.arpa': '192.0.2.4',
  };
  for (const [asked, address] of Object.entries(answers))
    assert.deepEqual(addressesOf(await resolve(question(asked))), [address], asked);
});

test('a name that the domain’s own upstreams cannot answer is not sent to the default upstreams', async (t) => {
  const world = await startUpstream(t);
  const office = await startUpstream(t, { udp: silence });
  const { resolve } = openAll(t, {
    upstreams: [world.text],
    fallback: [world.text],
    forward: [{ domains: ['corp.example'], upstreams: [office.text] }],
    timeoutMs: 400,
  });
  assert.equal(whyFailed(await resolve(question('secret.corp.example'))), 'timeout');
  assert.equal(world.udpQueries.length, 0);
});

test('questions in flight end when the upstreams are closed', async (t) => {
  const server = await startUpstream(t, { udp: silence });
  const { resolve, stop } = openAll(t, { upstreams: [server.text] });
  const asking = resolve(question('example.com'));
  await sleep(50);
  const begun = now();
  await stop();
  assert.equal(whyFailed(await asking), 'stopped');
  assert.ok(now() - begun < 200);
  assert.equal(whyFailed(await resolve(question('other.example'))), 'stopped');
});

test('every upstream query has a new id', async (t) => {
  const server = await startUpstream(t);
  const { resolve } = openAll(t, { upstreams: [server.text] });
  for (let i = 0; i < 50; i++) await resolve(question(`n${i}.example`));
  assert.ok(new Set(server.udpQueries.map(({ message }: Query) => message.id)).size > 45);
});

test('a hundred times opened and closed, nothing stays open', { skip: process.platform !== 'linux' }, async (t) => {
  const server = await startUpstream(t);
  const openFiles = (): number => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  for (let i = 0; i < 100; i++) {
    const { resolve, stop } = openAll(t, { upstreams: [server.text, server.tcpText], strategy: 'parallel' });
    assert.equal((await resolve(question(`n${i}.example`))).kind, 'answer');
    await stop();
  }
  await sleep(50);
  assert.ok(openFiles() - before < 10, `${openFiles() - before} files more`);
});

const rubbish: OnDatagram = (query, reply) => reply(answerTo(query).slice(0, -2));

test('an invalid answer moves on to the next upstream at once; without one the query fails at once', async (t) => {
  const broken = await startUpstream(t, { udp: rubbish, tcp: (_query, { socket }) => socket.destroy() });
  const good = await startUpstream(t);
  const begun = now();
  const both = openAll(t, { upstreams: [broken.text, good.text], strategy: 'ordered' });
  assert.equal(answered(await both.resolve(question('one.example.com'))).upstream, good.text);
  const alone = openAll(t, { upstreams: [broken.text] });
  assert.equal(whyFailed(await alone.resolve(question('two.example.com'))), 'malformed');
  // The time limit is five seconds, and it is not used up.
  assert.ok(now() - begun < 2500, `${now() - begun} ms`);
});

test('a query of ours that comes back is refused, and logged once', async (t) => {
  const inner: unknown[] = [];
  const server = await startUpstream(t, {
    udp: (query, reply) => {
      void upstreams.resolve({ ...question('x'), name: query.message.questions[0]!.name }).then((answer) => {
        inner.push(answer.kind === 'failed' && answer.why);
        reply(answerTo(query, { rcode: rcodes.SERVFAIL, answer: [] }));
      });
    },
  });
  const upstreams = openAll(t, { upstreams: [server.text] });
  const begun = now();
  for (const label of ['one', 'two']) {
    const answer = await upstreams.resolve(question(`${label}.round.example.com`));
    assert.ok(answer.kind === 'answer' && answer.message.rcode === rcodes.SERVFAIL);
  }
  assert.ok(now() - begun < 2500);
  assert.ok(inner.length >= 2 && inner.every((why) => why === 'loop'), String(inner));
  assert.equal(upstreams.status().loops, inner.length);
  assert.equal(upstreams.events.filter(({ kind }) => kind === 'loop').length, 1);
});
