import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAnswering, upstreamAnswer } from '../../../test/support/resolver/pipeline.ts';
import { findOption } from '../../dns/edns.ts';
import type { ResourceRecord } from '../../dns/message.ts';
import { types } from '../../dns/numbers.ts';
import { zoneAuthorityData } from '../../dns/record-data.ts';
import { filteringStatuses } from '../../domain/query-record.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';
import { DROPPED_CLIENT, UNKNOWN_CLIENT } from '../identity/client.ts';

const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] };

const record = (name: string, type: number, data: Uint8Array, ttl = 300): ResourceRecord => ({
  name: wireName(name)!,
  type,
  class: 1,
  ttl,
  data,
});
const address = (name: string, ip: string, ttl = 300): ResourceRecord =>
  record(name, types.A, Uint8Array.from(ip.split('.').map(Number)), ttl);

const ips = (answer: readonly ResourceRecord[] = []): string[] =>
  answer.filter(({ type }) => type === types.A).map(({ data }) => data.join('.'));
const statuses = (records: readonly { status: number }[]): unknown[] =>
  records.map(({ status }) => filteringStatuses[status]);

const EXTENDED_ERROR = 15;
const reasonOf = (
  message: { edns?: { options: readonly { code: number; data: Uint8Array }[] } } | undefined,
): number | undefined => {
  const data = message?.edns && findOption(message.edns.options, EXTENDED_ERROR);
  return data && (data[0]! << 8) | data[1]!;
};

test('unknown clients are refused, and clients to be dropped get no answer', async () => {
  const { message } = await startAnswering({ client: UNKNOWN_CLIENT as { kind: 'unknown' } }).ask('www.example', {
    edns,
  });
  assert.equal(message?.rcode, 5);
  assert.equal(reasonOf(message), 18);
  const dropped = await startAnswering({ client: DROPPED_CLIENT as { kind: 'drop' } }).ask('www.example');
  assert.equal(dropped.message, undefined);
});

test("a query that is refused to every client is in the log of the client's account; unknown clients have no log", async () => {
  const refused = [
    { type: types.AXFR, rcode: 5 },
    { type: 254, rcode: 4 },
    { type: types.A, rcode: 5, change: (query: Uint8Array) => void query.fill(0, 2, 3) },
  ];
  for (const { rcode, ...wish } of refused) {
    const { ask, records } = startAnswering();
    assert.equal((await ask('www.example', wish)).message?.rcode, rcode);
    assert.deepEqual(
      records().map((noted) => [filteringStatuses[noted.status], noted.clientId, noted.rcode]),
      [['NONE', 5, rcode]],
    );
    const strange = startAnswering({ client: UNKNOWN_CLIENT as { kind: 'unknown' } });
    assert.equal((await strange.ask('www.example', wish)).message?.rcode, rcode);
    assert.deepEqual(strange.records(), []);
  }
});

test('an answer of an upstream is given, kept, and given again without asking, its time running', async () => {
  const { ask, upstream, clock, records } = startAnswering();
  upstream.answer = (question) => upstreamAnswer(question, { answer: [address('www.example', '192.0.2.9', 300)] });
  const first = await ask('www.example');
  assert.deepEqual(ips(first.message?.answer), ['192.0.2.9']);
  assert.equal(first.isSync, false);
  clock.seconds += 100;
  const second = await ask('WwW.Example');
  assert.equal(second.isSync, true);
  assert.equal(second.message?.answer[0]?.ttl, 200);
  assert.equal(nameText(second.message!.questions[0]!.name, 0), 'WwW.Example');
  assert.equal(upstream.asked.length, 1);
  assert.deepEqual(statuses(records()), ['NONE', 'NONE']);
  clock.seconds += 200;
  assert.equal((await ask('www.example')).isSync, false);
  assert.equal(upstream.asked.length, 2);
});

test('a query with DO does not get an answer that was cached without it', async () => {
  const { ask, upstream } = startAnswering();
  upstream.answer = (question) => upstreamAnswer(question, { answer: [address('www.example', '192.0.2.9')] });
  await ask('www.example');
  await ask('www.example', { edns: { ...edns, dnssecOk: true } });
  assert.deepEqual(
    upstream.asked.map(({ dnssecOk }) => dnssecOk),
    [false, true],
  );
});

test('a blocked name is answered at once, in the mode of its server, and noted with its rule', async () => {
  const { ask, records, upstream } = startAnswering({ lists: { ads: ['||ads.example^'] } });
  const { message, isSync } = await ask('x.ads.example', { edns });
  assert.equal(isSync, true);
  assert.deepEqual(ips(message?.answer), ['0.0.0.0']);
  assert.equal(reasonOf(message), 17);
  assert.deepEqual(upstream.asked, []);
  const [noted] = records();
  assert.equal(filteringStatuses[noted!.status], 'REQUEST_BLOCKED');
  assert.equal(noted!.rule, 'ads');
  assert.equal(noted!.clientId, 5);
  const txt = await ask('ads.example', { type: types.TXT });
  assert.equal(txt.message?.rcode, 0);
  assert.equal(txt.message?.authority[0]?.type, types.SOA);
});

for (const [mode, rcode] of [
  ['NXDOMAIN', 3],
  ['REFUSED', 5],
] as const)
  test(`${mode}: a code, an SOA, and no answer`, async () => {
    const blocking = { mode, ipv4: undefined, ipv6: undefined };
    const { ask } = startAnswering({ lists: { ads: ['||ads.example^'] }, settings: { blocking } });
    const { message } = await ask('ads.example');
    assert.equal(message?.rcode, rcode);
    assert.deepEqual(message?.answer, []);
    assert.equal(message?.authority[0]?.type, types.SOA);
  });

test('where an alias leads is filtered, whether the answer is fresh or kept', async () => {
  const { ask, upstream, records } = startAnswering({ lists: { ads: ['||tracker.example^'] } });
  upstream.answer = (question) =>
    upstreamAnswer(question, {
      answer: [
        record('www.example', types.CNAME, wireName('x.tracker.example')!),
        address('x.tracker.example', '192.0.2.9'),
      ],
    });
  assert.deepEqual(ips((await ask('www.example')).message?.answer), ['0.0.0.0']);
  const again = await ask('www.example');
  assert.equal(again.isSync, true);
  assert.deepEqual(ips(again.message?.answer), ['0.0.0.0']);
  assert.deepEqual(statuses(records()), ['RESPONSE_BLOCKED', 'RESPONSE_BLOCKED']);
});

test('an answer that a custom rule allowed is not filtered again', async () => {
  const userRules = { enabled: true, rules: ['@@||www.example^'] };
  const { ask, upstream, records } = startAnswering({
    lists: { ads: ['||tracker.example^'] },
    settings: { userRules },
  });
  upstream.answer = (question) =>
    upstreamAnswer(question, {
      answer: [
        record('www.example', types.CNAME, wireName('tracker.example')!),
        address('tracker.example', '192.0.2.9'),
      ],
    });
  for (const _ of [1, 2]) assert.deepEqual(ips((await ask('www.example')).message?.answer), ['192.0.2.9']);
  assert.deepEqual(statuses(records()), ['REQUEST_ALLOWED', 'REQUEST_ALLOWED']);
});

test('a public name does not lead inside, unless its domain may', async () => {
  const { ask, upstream } = startAnswering();
  upstream.answer = (question) =>
    upstreamAnswer(question, { answer: [address(nameText(question.name, 0), '192.168.1.1')] });
  assert.deepEqual(ips((await ask('www.example')).message?.answer), ['0.0.0.0']);
  assert.deepEqual(ips((await ask('nas.home.example')).message?.answer), ['192.168.1.1']);
});

test('a rewritten name is answered with what its rule says, an alias with where it leads', async () => {
  const rules = ['|a.example^$dnsrewrite=1.2.3.4', '|b.example^$dnsrewrite=NOERROR;CNAME;c.example'];
  const { ask, upstream, records } = startAnswering({ settings: { userRules: { enabled: true, rules } } });
  upstream.answer = (question) => upstreamAnswer(question, { answer: [address('c.example', '192.0.2.9')] });
  assert.deepEqual(ips((await ask('a.example')).message?.answer), ['1.2.3.4']);
  const alias = (await ask('b.example')).message!;
  assert.deepEqual(
    alias.answer.map(({ type }) => type),
    [types.CNAME, types.A],
  );
  assert.deepEqual(ips(alias.answer), ['192.0.2.9']);
  const recorded = records();
  assert.deepEqual(statuses(recorded), ['MODIFIED', 'MODIFIED']);
  assert.deepEqual(
    recorded.map((each) => each.address),
    ['1.2.3.4', '192.0.2.9'],
  );
});

test('rewrites that lead in a circle are a failure, not a flood', async () => {
  const rules = ['|a.example^$dnsrewrite=NOERROR;CNAME;b.example', '|b.example^$dnsrewrite=NOERROR;CNAME;a.example'];
  const { ask, upstream } = startAnswering({ settings: { userRules: { enabled: true, rules } } });
  const { message } = await ask('a.example', { edns });
  assert.equal(message?.rcode, 2);
  assert.deepEqual(upstream.asked, []);
});

test('when no upstream answers, a cached answer is marked as stale; without one the query fails', async () => {
  const { ask, upstream, clock } = startAnswering();
  const nobody = upstream.answer;
  upstream.answer = (question) => upstreamAnswer(question, { answer: [address('www.example', '192.0.2.9', 60)] });
  await ask('www.example');
  clock.seconds += 3600;
  upstream.answer = nobody;
  const stale = (await ask('www.example', { edns })).message;
  assert.deepEqual(ips(stale?.answer), ['192.0.2.9']);
  assert.equal(stale?.answer[0]?.ttl, 30);
  assert.equal(reasonOf(stale), 3);
  const failed = (await ask('other.example', { edns })).message;
  assert.equal(failed?.rcode, 2);
  assert.equal(reasonOf(failed), 22);
});

test('a stale name that has been blocked since is blocked', async () => {
  const { ask, upstream, clock } = startAnswering({ lists: { ads: ['||tracker.example^'] } });
  const nobody = upstream.answer;
  upstream.answer = (question) =>
    upstreamAnswer(question, {
      answer: [
        record('www.example', types.CNAME, wireName('tracker.example')!, 60),
        address('tracker.example', '192.0.2.9', 60),
      ],
    });
  await ask('www.example');
  clock.seconds += 3600;
  upstream.answer = nobody;
  assert.deepEqual(ips((await ask('www.example')).message?.answer), ['0.0.0.0']);
});

test('an answer that is too long for a datagram is truncated; on a connection it is complete', async () => {
  const { ask, upstream } = startAnswering();
  const many = Array.from({ length: 80 }, (_, i) => address('www.example', `192.0.2.${i}`));
  upstream.answer = (question) => upstreamAnswer(question, { answer: many });
  for (const _ of ['fresh', 'kept']) {
    const { message } = await ask('www.example', { edns });
    assert.equal(message?.truncated, true);
    assert.deepEqual(message?.answer, []);
  }
  const whole = await ask('www.example', { transport: 'tcp' });
  assert.equal(whole.message?.truncated, false);
  assert.equal(whole.message?.answer.length, 80);
});

test('only queries with padding over encrypted transports get padding', async () => {
  const { bytesFor, upstream } = startAnswering();
  upstream.answer = (question) => upstreamAnswer(question, { answer: [address('www.example', '192.0.2.9')] });
  const padding = { ...edns, options: [{ code: 12, data: new Uint8Array(3) }] };
  for (const [transport, isPadded] of [
    ['dot', true],
    ['doh', true],
    ['tcp', false],
    ['udp', false],
  ] as const) {
    const { bytes } = await bytesFor('www.example', { transport, edns: padding });
    assert.equal(bytes!.length % 468 === 0, isPadded, transport);
  }
  assert.notEqual((await bytesFor('www.example', { transport: 'dot', edns })).bytes!.length % 468, 0);
});

test('queries without RD and queries for ANY get a minimal answer', async () => {
  const { ask, upstream } = startAnswering();
  const unasked = await ask('www.example', { change: (query) => (query[2]! &= ~1) });
  assert.equal(unasked.message?.rcode, 5);
  const everything = (await ask('www.example', { type: types.ANY })).message!;
  assert.deepEqual(
    everything.answer.map(({ type }) => type),
    [types.HINFO],
  );
  assert.deepEqual(upstream.asked, []);
});

test('packets above the limit of a network are dropped or truncated; connections are not limited', async () => {
  const { ask } = startAnswering({ lists: { ads: ['||ads.example^'] }, queries: 5 });
  const outcomes = [];
  for (let i = 0; i < 20; i++) outcomes.push((await ask('ads.example')).message);
  assert.equal(outcomes.filter((message) => message && !message.truncated).length, 5);
  assert.ok(outcomes.some((message) => message === undefined));
  assert.ok(outcomes.some((message) => message?.truncated));
  assert.notEqual((await ask('ads.example', { transport: 'tcp' })).message, undefined);
});

test('a client without access hears nothing and leaves no trace', async () => {
  const access = {
    enabled: true,
    allowedClients: [],
    blockedClients: ['192.0.2.0/24'],
    blockedDomainRules: [],
    blockKnownScanners: false,
  };
  const { ask, records } = startAnswering({ settings: { access } });
  assert.equal((await ask('www.example')).message, undefined);
  assert.deepEqual(records(), []);
});

test('AD is passed on to those who understand it', async () => {
  const { ask, upstream } = startAnswering();
  upstream.answer = (question) =>
    upstreamAnswer(question, { answer: [address('www.example', '192.0.2.9')], authenticData: true });
  assert.equal((await ask('www.example')).message?.authenticData, false);
  assert.equal((await ask('www.example', { change: (query) => (query[3]! |= 0x20) })).message?.authenticData, true);
});

// The client has the address 192.0.2.1, the name "phone" and the tags of an Android device.
const clientRules: readonly (readonly [modifier: string, blocks: boolean])[] = [
  ['client=192.0.2.1', true],
  ['client=192.0.2.0/24', true],
  ['client=~192.0.2.1', false],
  ['client=192.0.2.2', false],
  ['client=~192.0.2.0/28', false],
  ["client='Phone'", true],
  ['client=~phone', false],
  ['client=tv|192.0.2.1', true],
  ['ctag=os_android', true],
  ['ctag=device_phone|device_tv', true],
  ['ctag=~device_phone', false],
  ['ctag=~os_windows', true],
  ['ctag=device_tv', false],
];
for (const [modifier, blocks] of clientRules)
  test(`$${modifier} ${blocks ? 'applies' : 'does not apply'} to the query, its answer and a rewritten name`, async () => {
    const rules = [
      `||question.example^$${modifier}`,
      `||target.example^$${modifier}`,
      `||198.51.100.1^$${modifier}`,
      '||alias.example^$dnsrewrite=question.example',
    ];
    const { ask, upstream } = startAnswering({ settings: { userRules: { enabled: true, rules } } });
    upstream.answer = (question) =>
      upstreamAnswer(question, {
        answer:
          nameText(question.name, 0) === 'cname.example'
            ? [
                record('cname.example', types.CNAME, wireName('target.example')!),
                address('target.example', '192.0.2.9'),
              ]
            : [address(nameText(question.name, 0), '198.51.100.1')],
      });
    const blocked = ['0.0.0.0'];
    assert.deepEqual(ips((await ask('question.example')).message?.answer), blocks ? blocked : ['198.51.100.1']);
    for (const _ of ['fresh', 'cached']) {
      assert.deepEqual(ips((await ask('cname.example')).message?.answer), blocks ? blocked : ['192.0.2.9']);
      assert.deepEqual(ips((await ask('address.example')).message?.answer), blocks ? blocked : ['198.51.100.1']);
    }
    assert.deepEqual(ips((await ask('alias.example')).message?.answer), blocks ? [] : ['198.51.100.1']);
  });

const negative: readonly (readonly [ttl: number, minimum: number, sent: number])[] = [
  [600, 30, 30],
  [20, 600, 20],
  [86_400, 86_400, 3_600],
];
for (const [ttl, minimum, sent] of negative)
  test(`a negative answer with SOA TTL ${ttl} and minimum ${minimum} has TTL ${sent}, counted down`, async () => {
    const { ask, upstream, clock } = startAnswering();
    const soa = zoneAuthorityData({
      primary: 'ns.example',
      mailbox: 'host.example',
      serial: 1,
      refresh: 1,
      retry: 1,
      expire: 1,
      minimum,
    })!;
    upstream.answer = (question) =>
      upstreamAnswer(question, { answer: [], rcode: 3, authority: [record('example', types.SOA, soa, ttl)] });
    assert.equal((await ask('nx.example')).message?.authority[0]?.ttl, sent);
    clock.seconds += 2;
    assert.equal((await ask('nx.example')).message?.authority[0]?.ttl, sent - 2);
    assert.equal(upstream.asked.length, 1);
  });

test('the record has DNSSEC for an authentic answer, for any flags of the client', async () => {
  const { ask, upstream, records } = startAnswering();
  upstream.answer = (question) =>
    upstreamAnswer(question, { answer: [address('www.example', '192.0.2.9')], authenticData: true });
  await ask('www.example');
  await ask('www.example', { change: (query) => (query[3]! |= 0x20) });
  upstream.answer = (question) => upstreamAnswer(question, { answer: [address('other.example', '192.0.2.9')] });
  await ask('other.example');
  assert.deepEqual(
    records().map(({ isDnssec }) => isDnssec),
    [true, true, false],
  );
});

test('the extended error of an upstream is passed on', async () => {
  const { ask, upstream } = startAnswering();
  upstream.answer = (question) =>
    upstreamAnswer(question, { answer: [], rcode: 2, extendedError: Uint8Array.of(0, 6) });
  const { message } = await ask('bogus.example', { edns });
  assert.equal(message?.rcode, 2);
  assert.equal(reasonOf(message), 6);
});
