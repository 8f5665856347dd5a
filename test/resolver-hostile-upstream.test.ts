import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readExtendedError } from '../src/dns/edns.ts';
import { type EdnsOption, type Message, queryFor, type ResourceRecord } from '../src/dns/message.ts';
import { classes, optionCodes, rcodes, types } from '../src/dns/numbers.ts';
import { readMessage } from '../src/dns/read-message.ts';
import { textData, zoneAuthorityData } from '../src/dns/record-data.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { nameText } from '../src/kit/wire-name.ts';
import type { Over } from './support/dig.ts';
import { a, answerTo, cname, name, type Query, record } from './support/resolver/upstream/messages.ts';
import { type OnDatagram, type OnMessage, overTcp, startUpstream } from './support/resolver/upstream/upstream.ts';
import { askersOf, startForEverybody } from './support/resolver.ts';

const GOOD = '198.51.100.7';
const good = (query: Query): Uint8Array => answerTo(query, { answer: [own(query, GOOD)] });
const own = ({ message }: Query, ip: string, ttl = 300): ResourceRecord => ({
  ...a('x', ip, ttl),
  name: message.questions[0]!.name,
});
const changed = (bytes: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  change(copy);
  return copy;
};
const first =
  (...bad: readonly ((query: Query) => Uint8Array)[]): OnDatagram =>
  (query, reply) => {
    for (const make of bad) reply(make(query));
    setTimeout(() => reply(good(query)), 30);
  };
const says =
  (more: (query: Query) => Partial<Message>): OnDatagram =>
  (query, reply) =>
    reply(answerTo(query, { answer: [], ...more(query) }));
const withTtl = (ttl: number): OnDatagram => says((query) => ({ answer: [own(query, GOOD, ttl)] }));
const truncated: OnDatagram = says(() => ({ truncated: true }));
const soa = (zone: string, minimum: number, ttl = 300): ResourceRecord => {
  const times = { serial: 1, refresh: 60, retry: 60, expire: 60, minimum };
  return record(
    zone,
    types.SOA,
    zoneAuthorityData({ primary: 'ns.invalid', mailbox: 'nobody.invalid', ...times })!,
    ttl,
  );
};
const chain = (query: Query, links: number): ResourceRecord[] => {
  const step = (i: number): string => (i === 0 ? query.name : `step${i}.${query.name}`);
  const aliases = Array.from({ length: links }, (_, i) => cname(step(i), step(i + 1)));
  return [...aliases, a(step(links), GOOD)];
};
const texts = ({ name }: Query, count: number, length: number): ResourceRecord[] =>
  Array.from({ length: count }, (_, i) => record(name, types.TXT, textData(`${i} `.padEnd(length, 'x'))));
const dropsQuestion = (bytes: Uint8Array): Uint8Array =>
  changed(bytes, (copy) => {
    copy[5] = 0;
  });
/** 64 KB of the smallest records that belong to the answer. */
function nameServers({ message }: Query, count: number): Uint8Array {
  const head = writeMessage({ ...message, response: true, recursionAvailable: true, answer: [] });
  const questionEnd = 12 + message.questions[0]!.name.length + 4;
  // Owner: the question's name; data: one letter and again the question's name.
  const entries = Buffer.from('c00c00020001000001 2c0004 0161c00c'.replaceAll(' ', ''), 'hex');
  const bytes = Buffer.concat([head.subarray(0, questionEnd), ...Array.from({ length: count }, () => entries)]);
  bytes.writeUInt16BE(count, 6);
  bytes.writeUInt16BE(0, 10);
  return bytes;
}

// Behaviour of the upstream, by the first label of the name.
const datagrams: Readonly<Record<string, OnDatagram>> = {
  'wrong-id': first((query) => changed(good(query), (copy) => (copy[0]! ^= 1))),
  'wrong-name': first((query) => answerTo({ ...query, message: { ...query.message, questions: [other(query)] } })),
  'wrong-type': first((query) =>
    answerTo({ ...query, message: { ...query.message, questions: [{ ...query.message.questions[0]!, type: 16 }] } }),
  ),
  'wrong-class': first((query) =>
    answerTo({ ...query, message: { ...query.message, questions: [{ ...query.message.questions[0]!, class: 3 }] } }),
  ),
  'other-case': first((query) =>
    changed(answerTo(query, { answer: [own(query, '203.0.113.66')] }), (copy) => (copy[13]! ^= 0x20)),
  ),
  'no-question': first((query) => dropsQuestion(answerTo(query, { answer: [own(query, '203.0.113.66')] }))),
  'a-query': first((query) => changed(good(query), (copy) => (copy[2]! &= 0x7f))),
  'rubbish-first': first(() => Uint8Array.of(1, 2, 3)),
  'malformed-first': first((query) => good(query).subarray(0, -3)),
  'lying-counts-first': first((query) => changed(good(query), (copy) => (copy[6] = 0xff))),
  guessing: (query, reply) => {
    for (let i = 1; i <= 20; i++)
      reply(changed(answerTo(query, { answer: [own(query, '203.0.113.66')] }), (copy) => (copy[1]! ^= i)));
  },
  truncated,
  'truncated-twice': truncated,
  'tcp-closes': truncated,
  'tcp-says-nothing': truncated,
  'tcp-lies': truncated,
  stray: says((query) => ({
    answer: [
      own(query, GOOD),
      a('bank.example.com', '203.0.113.66'),
      record('example.com', types.NS, name('ns.evil.example')),
    ],
    authority: [record('com', types.NS, name('ns.evil.example'))],
    additional: [a('ns.evil.example', '203.0.113.66'), a('bank.example.com', '203.0.113.66')],
  })),
  chain8: says((query) => ({ answer: chain(query, 8) })),
  chain20: says((query) => ({ answer: chain(query, 20) })),
  circle: says(({ name }) => ({ answer: [cname(name, `b.${name}`), cname(`b.${name}`, name)] })),
  itself: says(({ name }) => ({ answer: [cname(name, name)] })),
  nameservers: truncated,
  'ttl-none': withTtl(0),
  'ttl-high': withTtl(0x8000_0000),
  'ttl-highest': withTtl(0xffff_ffff),
  'ttl-week': withTtl(604_801),
  'nx-bare': says(() => ({ rcode: rcodes.NXDOMAIN })),
  'nx-zero': says(() => ({ rcode: rcodes.NXDOMAIN, authority: [soa('example.com', 0)] })),
  'nx-foreign': says(() => ({ rcode: rcodes.NXDOMAIN, authority: [soa('example.net', 300)] })),
  'nx-year': says(() => ({ rcode: rcodes.NXDOMAIN, authority: [soa('example.com', 31_536_000, 31_536_000)] })),
  'nx-proper': says(() => ({ rcode: rcodes.NXDOMAIN, authority: [soa('example.com', 60)] })),
  'nodata-bare': says(() => ({})),
  authentic: says((query) => ({ answer: [own(query, GOOD)], authenticData: true })),
  chatty: says((query) => ({
    answer: [own(query, GOOD)],
    edns: {
      udpSize: 4096,
      version: 0,
      dnssecOk: false,
      options: [3, 10, 12, 8, 65_001].map(
        (code): EdnsOption => ({ code, data: Uint8Array.of(0, 1, 24, 24, 1, 2, 3, 4) }),
      ),
    },
  })),
  servfail: says(() => ({ rcode: rcodes.SERVFAIL })),
  refused: says(() => ({ rcode: rcodes.REFUSED })),
  notimp: says(() => ({ rcode: rcodes.NOTIMP })),
  odd: says(() => ({ rcode: 11 })),
  never: () => {},
  late: (query, reply) => void setTimeout(() => reply(good(query)), 2500),
  big: truncated,
  biggest: truncated,
  private: says((query) => ({ answer: [own(query, '127.0.0.1')] })),
  mapped: says(({ name }) => ({
    answer: [record(name, types.AAAA, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1))],
  })),
  'bad-service': says(({ name }) => ({
    answer: [record(name, types.HTTPS, Uint8Array.of(0, 1, 0, 0, 4, 0, 99, 1, 2))],
  })),
  'short-address': says(({ name }) => ({ answer: [record(name, types.A, Uint8Array.of(1, 2, 3))] })),
  'odd-target': says(({ name: owner }) => ({
    answer: [
      record(owner, types.CNAME, Uint8Array.of(3, 0x2e, 0, 0xff, 0)),
      { ...a('x', GOOD), name: Uint8Array.of(3, 0x2e, 0, 0xff, 0) },
    ],
  })),
  unknown: says(({ name }) => ({ answer: [record(name, 4711, Uint8Array.of(0xc0, 0x0c, 1, 2, 3))] })),
};

const streams: Readonly<Record<string, OnMessage>> = {
  'truncated-twice': overTcp(truncated),
  'tcp-closes': (_query, { socket }) => void socket.destroy(),
  'tcp-says-nothing': () => {},
  'tcp-lies': (_query, { raw }) => raw(0xff, 0xff, 1, 2, 3),
  nameservers: (query, { reply }) => reply(nameServers(query, 4000)),
  big: overTcp(says((query) => ({ answer: texts(query, 20, 200) }))),
  biggest: overTcp(says((query) => ({ answer: texts(query, 99, 600) }))),
};

const other = ({ message }: Query) => ({ ...message.questions[0]!, name: name('other.example.com') });
const firstLabel = (query: Query): string => query.name.split('.')[0]!;

type Said = Message & { readonly bytes: Uint8Array; readonly error: number | undefined; readonly tookMs: number };

type How = { readonly type?: number; readonly over?: Over; readonly dnssecOk?: boolean };

test('a hostile upstream', async (t) => {
  const upstream = await startUpstream(t, {
    udp: (query, reply, from) => (datagrams[firstLabel(query)] ?? ((_, tell) => tell(good(query))))(query, reply, from),
    tcp: (query, connection) =>
      (streams[firstLabel(query)] ?? overTcp((_, tell) => tell(good(query))))(query, connection),
  });
  const { service } = await startForEverybody(t, upstream.text);
  const askers = askersOf(service);
  let id = 1;

  const ask = async (label: string, { type = types.A, over = 'udp', dnssecOk = false }: How = {}): Promise<Said> => {
    const asked = { name: name(`${label}.example.com`), type, class: classes.IN };
    const query = queryFor(asked, id++, { udpSize: 1232, version: 0, dnssecOk, options: [] });
    const begun = performance.now();
    const heard = await askers[over](writeMessage(query), 60_000);
    assert.ok(heard.kind === 'answer', `${label} over ${over}: ${JSON.stringify(heard)}`);
    if (over === 'udp') assert.ok(heard.bytes.length <= 1232);
    const read = readMessage(new Uint8Array(heard.bytes));
    assert.ok(read.ok, label);
    assert.equal(read.value.id, query.id);
    const data = read.value.edns?.options.find(({ code }) => code === optionCodes.extendedError)?.data;
    return {
      ...read.value,
      bytes: heard.bytes,
      error: data && readExtendedError(data)?.code,
      tookMs: performance.now() - begun,
    };
  };
  const timesAsked = (label: string): number =>
    [...upstream.udpQueries, ...upstream.queries].filter(({ name }) => name === `${label}.example.com`).length;
  const addresses = ({ answer }: Said): string[] =>
    answer.filter(({ type }) => type === types.A).map(({ data }) => data.join('.'));
  const isGood = (said: Said, label: string): void => {
    assert.equal(said.rcode, rcodes.NOERROR, label);
    assert.deepEqual(addresses(said), [GOOD], label);
  };

  await t.test('a packet that does not match the question is ignored, and the real answer still counts', async () => {
    const labels = ['wrong-id', 'wrong-name', 'wrong-type', 'wrong-class', 'other-case', 'no-question', 'a-query'];
    await Promise.all(labels.map(async (label) => isGood(await ask(label), label)));
  });

  await t.test('a malformed packet before the true one does not fail the query', async () => {
    const labels = ['rubbish-first', 'malformed-first', 'lying-counts-first'];
    await Promise.all(labels.map(async (label) => isGood(await ask(label), label)));
  });

  await t.test('after guessed answers the query is repeated over TCP', async () => {
    isGood(await ask('guessing'), 'guessing');
    assert.ok(upstream.queries.some(({ name }) => name === 'guessing.example.com'));
  });

  await t.test(
    'a truncated answer is fetched whole, and where that cannot be had the query fails in time',
    async () => {
      isGood(await ask('truncated'), 'truncated');
      await Promise.all(
        ['truncated-twice', 'tcp-closes', 'tcp-says-nothing', 'tcp-lies'].map(async (label) => {
          const said = await ask(label);
          assert.equal(said.rcode, rcodes.SERVFAIL, label);
          assert.ok(said.error !== undefined, `${label}: it says why`);
          assert.equal(said.answer.length, 0);
          assert.ok(said.tookMs < 20_000, `${label}: ${said.tookMs} ms`);
        }),
      );
    },
  );

  await t.test('unsolicited records reach neither the client nor the cache', async () => {
    const said = await ask('stray');
    isGood(said, 'stray');
    assert.equal(said.answer.length + said.additional.length, 1);
    // Authority records may name the parent zones; they are not cached.
    for (const { name: zone } of said.authority) assert.equal(nameText(zone, 0), 'com');
    isGood(await ask('bank'), 'bank');
    assert.equal(timesAsked('bank'), 1);
  });

  await t.test('a chain of aliases is followed for eleven links, and a circle not at all', async () => {
    assert.equal((await ask('chain8')).answer.length, 9);
    for (const label of ['chain20', 'circle', 'itself']) {
      const said = await ask(label);
      assert.equal(said.rcode, rcodes.SERVFAIL, label);
      assert.equal((await ask(label)).rcode, rcodes.SERVFAIL, label);
      assert.ok(timesAsked(label) <= 12, `${label}: asked ${timesAsked(label)} times`);
    }
  });

  await t.test('4,000 records in 64 KB do not delay other queries', async () => {
    const many = Promise.all(
      [1, 2, 3].map((i) => ask('nameservers', { type: types.NS, over: i === 1 ? 'udp' : 'tcp' })),
    );
    await sleep(10);
    isGood(await ask('meanwhile'), 'meanwhile');
    for (const said of await many) assert.ok(said.rcode === rcodes.SERVFAIL || said.truncated, `${said.rcode}`);
  });

  await t.test('times of life are between nothing and a day', async () => {
    assert.equal((await ask('ttl-none')).answer[0]!.ttl, 0);
    await ask('ttl-none');
    assert.equal(timesAsked('ttl-none'), 2, 'what has no time is not kept');
    for (const label of ['ttl-high', 'ttl-highest', 'ttl-week']) {
      assert.equal((await ask(label)).answer[0]!.ttl, 86_400, label);
      assert.ok((await ask(label)).answer[0]!.ttl >= 86_390, label);
      assert.equal(timesAsked(label), 1, label);
    }
  });

  await t.test(
    'a negative answer is cached only with an SOA of its zone (RFC 2308), and for an hour at most',
    async () => {
      const rcodeOf = { 'nx-bare': 3, 'nx-zero': 3, 'nx-foreign': 3, 'nodata-bare': 0 };
      for (const [label, rcode] of Object.entries(rcodeOf)) {
        assert.equal((await ask(label)).rcode, rcode, label);
        assert.equal((await ask(label)).rcode, rcode, label);
        assert.equal(timesAsked(label), 2, label);
      }
      for (const label of ['nx-proper', 'nx-year']) {
        assert.equal((await ask(label)).rcode, rcodes.NXDOMAIN, label);
        const again = await ask(label);
        assert.equal(again.rcode, rcodes.NXDOMAIN, label);
        assert.equal(timesAsked(label), 1, label);
      }
    },
  );

  await t.test('the AD bit is not trusted over plain DNS, and no option of the upstream is passed on', async () => {
    assert.equal((await ask('authentic', { dnssecOk: true })).authenticData, false);
    assert.equal((await ask('authentic', { dnssecOk: true })).authenticData, false, 'from the cache');
    const said = await ask('chatty');
    isGood(said, 'chatty');
    assert.deepEqual(said.edns?.options, []);
  });

  await t.test('a failure of an upstream is passed on and not queried again at once (RFC 9520)', async () => {
    for (const [label, rcode] of Object.entries({ servfail: 2, refused: 5, notimp: 4 })) {
      assert.equal((await ask(label)).rcode, rcode, label);
      const before = timesAsked(label);
      assert.equal((await ask(label)).rcode, rcode, label);
      assert.equal(timesAsked(label), before, label);
    }
    assert.ok([rcodes.SERVFAIL, 11].includes((await ask('odd')).rcode));
  });

  await t.test('a late answer is used, and silence ends in SERVFAIL with an extended error', async () => {
    const [late, never] = await Promise.all([ask('late'), ask('never')]);
    isGood(late, 'late');
    assert.equal(never.rcode, rcodes.SERVFAIL);
    assert.equal(never.error, 22);
    assert.ok(never.tookMs < 20_000, `${never.tookMs} ms`);
    isGood(await ask('late'), 'late');
  });

  await t.test('an answer too long for a datagram is truncated, and complete on all other transports', async () => {
    const short = await ask('big', { type: types.TXT });
    assert.ok(short.truncated);
    assert.ok(short.edns);
    assert.equal(short.answer.length, 0);
    for (const over of ['tcp', 'dot', 'doh'] as const) {
      assert.equal((await ask('big', { type: types.TXT, over })).answer.length, 20, over);
      const biggest = await ask('biggest', { type: types.TXT, over });
      assert.equal(biggest.answer.length, 99, over);
      assert.ok(biggest.bytes.length > 59_000, `${biggest.bytes.length}`);
    }
  });

  await t.test('public names do not lead into private networks', async () => {
    for (const [label, type] of Object.entries({ private: types.A, mapped: types.AAAA })) {
      const said = await ask(label, { type });
      assert.equal(said.error, 17, label);
      assert.ok(
        said.answer.every(({ data }) => data.every((byte) => byte === 0)),
        label,
      );
    }
  });

  await t.test('malformed record data does no harm, and unknown types pass unchanged', async () => {
    for (const [label, type] of Object.entries({ 'bad-service': types.HTTPS, 'short-address': types.A })) {
      const { rcode } = await ask(label, { type });
      assert.ok(rcode === rcodes.NOERROR || rcode === rcodes.SERVFAIL, `${label}: ${rcode}`);
    }
    const [alias] = (await ask('odd-target')).answer;
    assert.deepEqual([...alias!.data], [3, 0x2e, 0, 0xff, 0]);
    assert.equal(nameText(alias!.data, 0), '\\.\\000\\255');
    const [unknown] = (await ask('unknown', { type: 4711 })).answer;
    assert.deepEqual([...unknown!.data], [0xc0, 0x0c, 1, 2, 3]);
  });

  await t.test('after all of this it answers as before', async () => {
    isGood(await ask('at-last'), 'at-last');
    assert.deepEqual(
      service.log.filter(({ level }) => Number(level) >= 50).map(({ msg }) => msg),
      [],
    );
  });
});
