import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAnswering, upstreamAnswer } from '../../../test/support/resolver/pipeline.ts';
import type { Message, ResourceRecord } from '../../dns/message.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import { recordText } from '../../dns/record-text.ts';
import { defaultSettings } from '../../domain/default-settings.ts';
import type { ForwardRule } from '../../domain/forward-rules.ts';
import type { AccountId, ProfileId } from '../../domain/ids.ts';
import type { LocalRecord, LocalRecordType } from '../../domain/local-records.ts';
import type { ProfileExtensions } from '../../domain/profile-extensions.ts';
import { filteringStatuses } from '../../domain/query-record.ts';
import { typeName } from '../../kit/dns-numbers.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';

const account = 'account' as AccountId;
const profile = 'abcd1234' as ProfileId;

const record = (line: string, rest: Partial<LocalRecord> = {}): LocalRecord => {
  const [name = '', type, ...value] = line.split(' ');
  return {
    id: line,
    account,
    profile: undefined,
    name,
    type: type as LocalRecordType,
    value: value.join(' '),
    ttlSeconds: undefined,
    ...rest,
  };
};
const rule = (domain: string, upstream: string, rest: Partial<ForwardRule> = {}): ForwardRule => ({
  id: domain,
  account,
  profile: undefined,
  domain,
  upstreams: [upstream],
  strategy: undefined,
  ...rest,
});
const withOwn = (own: Partial<ProfileExtensions>) => {
  const settings = defaultSettings();
  return { own: { ...settings.own, ...own } };
};

const lines = (records: readonly ResourceRecord[] = []): string[] =>
  records.map(({ name, type, ttl, data }) => `${nameText(name, 0)} ${ttl} ${typeName(type)} ${recordText(type, data)}`);

const answered = (message: Message | undefined): string[] => {
  assert.ok(message);
  return message.rcode === rcodes.NOERROR ? lines(message.answer) : [`rcode ${message.rcode}`];
};

const address = (name: string, ...bytes: number[]): ResourceRecord => ({
  name: wireName(name)!,
  type: bytes.length === 4 ? types.A : types.AAAA,
  class: 1,
  ttl: 300,
  data: Uint8Array.from(bytes),
});
const soa = (name: string, ttl: number): ResourceRecord => ({
  name: wireName(name)!,
  type: types.SOA,
  class: 1,
  ttl,
  data: Uint8Array.from([0, 0, ...Array<number>(19).fill(0), ttl]),
});

const records = [
  'nas.home A 192.168.1.5',
  'nas.home A 192.168.1.6',
  'nas.home AAAA fd00::5',
  'home TXT all of it',
  '*.apps.home A 10.0.0.1',
  '*.special.apps.home A 10.0.0.2',
  'git.apps.home A 10.0.0.3',
  'www.home CNAME nas.home',
  'out.home CNAME www.example.com',
  'loop1.home CNAME loop2.home',
  'loop2.home CNAME loop1.home',
  '_sip._tcp.home SRV 0 5 5060 nas.home',
  '9.1.168.192.in-addr.arpa PTR explicit.home',
  'nine.home A 192.168.1.9',
].map((line) => record(line));

const cases: readonly (readonly [name: string, type: number, expected: readonly string[]])[] = [
  ['NAS.home', types.A, ['nas.home 60 A 192.168.1.5', 'nas.home 60 A 192.168.1.6']],
  ['nas.home', types.AAAA, ['nas.home 60 AAAA fd00::5']],
  ['nas.home', types.HTTPS, []],
  ['home', types.TXT, ['home 60 TXT "all of it"']],
  ['x.apps.home', types.A, ['x.apps.home 60 A 10.0.0.1']],
  ['x.y.apps.home', types.A, ['x.y.apps.home 60 A 10.0.0.1']],
  ['x.special.apps.home', types.A, ['x.special.apps.home 60 A 10.0.0.2']],
  ['git.apps.home', types.A, ['git.apps.home 60 A 10.0.0.3']],
  ['www.home', types.AAAA, ['www.home 60 CNAME nas.home.', 'nas.home 60 AAAA fd00::5']],
  ['www.home', types.CNAME, ['www.home 60 CNAME nas.home.']],
  ['out.home', types.CNAME, ['out.home 60 CNAME www.example.com.']],
  ['out.home', types.A, ['out.home 60 CNAME www.example.com.', 'www.example.com 300 A 192.0.2.8']],
  ['loop1.home', types.A, ['rcode 2']],
  ['_sip._tcp.home', types.SRV, ['_sip._tcp.home 60 SRV 0 5 5060 nas.home.']],
  ['5.1.168.192.in-addr.arpa', types.PTR, ['5.1.168.192.in-addr.arpa 60 PTR nas.home.']],
  ['9.1.168.192.in-addr.arpa', types.PTR, ['9.1.168.192.in-addr.arpa 60 PTR explicit.home.']],
];

for (const [name, type, expected] of cases)
  test(`local records: ${name} ${typeName(type)} → ${expected.join(', ') || 'no data'}`, async () => {
    const service = startAnswering({ records });
    service.upstream.answer = (question) =>
      upstreamAnswer(question, { answer: [address('www.example.com', 192, 0, 2, 8)] });
    const { message } = await service.ask(name, { type });
    assert.deepEqual(
      answered(message).map((line) => line.toLowerCase()),
      expected.map((line) => line.toLowerCase()),
    );
    if (expected.length === 0) assert.equal(message?.authority[0]?.type, types.SOA);
    assert.deepEqual(service.faults, []);
    const [logged] = service.records();
    assert.equal(filteringStatuses[logged!.status], 'MODIFIED');
    assert.equal(logged!.rule, 'local record');
  });

test('other names are resolved as before, also the domain of a wildcard', async () => {
  const service = startAnswering({ records });
  service.upstream.answer = (question) => upstreamAnswer(question, { answer: [], authority: [soa('home', 60)] });
  for (const name of ['apps.home', 'x.nas.home', 'example.com']) await service.ask(name);
  assert.deepEqual(
    service.upstream.asked.map((question) => nameText(question.name, 0)),
    ['apps.home', 'x.nas.home', 'example.com'],
  );
});

test('records of the DNS server replace those of the account for the same name', async () => {
  const service = startAnswering({
    records: [
      record('a.home A 10.0.0.1'),
      record('b.home A 10.0.0.1'),
      record('a.home A 10.0.0.2', { profile, ttlSeconds: 5 }),
      record('b.home A 10.0.0.3', { profile: 'ffffffff' as ProfileId }),
    ],
  });
  assert.deepEqual(answered((await service.ask('a.home')).message), ['a.home 5 A 10.0.0.2']);
  assert.deepEqual(answered((await service.ask('b.home')).message), ['b.home 60 A 10.0.0.1']);
});

test('rules filter the target of an alias, not the data of records', async () => {
  const service = startAnswering({
    records: [record('nas.home A 192.168.1.5'), record('out.home CNAME ads.example.com')],
    lists: { list: ['||nas.home^', '||ads.example.com^'] },
  });
  assert.deepEqual(answered((await service.ask('nas.home')).message), ['nas.home 60 A 192.168.1.5']);
  assert.deepEqual(answered((await service.ask('out.home')).message), ['out.home 60 CNAME ads.example.com.']);
  assert.equal(service.upstream.asked.length, 0);
});

test('the target of a rewrite is answered by local records and forwarding rules before upstreams', async () => {
  const service = startAnswering({
    records: [record('nas.home A 192.168.1.5'), record('www.home CNAME nas.home'), record('back.home CNAME a.example')],
    forwardRules: [rule('lan', '192.168.1.1')],
    settings: {
      userRules: {
        enabled: true,
        rules: [
          '||a.example^$dnsrewrite=www.home',
          '||b.example^$dnsrewrite=printer.lan',
          '||c.example^$dnsrewrite=out.example',
          '||d.lan^$dnsrewrite=out.example',
          '||e.example^$dnsrewrite=back.home',
          '||f.example^$dnsrewrite=ads.lan',
          '||ads.lan^',
        ],
      },
    },
  });
  service.upstream.answer = (question) =>
    upstreamAnswer(question, { answer: [address(nameText(question.name, 0), 192, 168, 1, 7)] });
  const asked = async (name: string, type: number = types.A) => {
    const before = service.upstream.groups.length;
    const { message } = await service.ask(name, { type });
    const upstreams = service.upstream.groups.slice(before).map((group) => group.upstreams.join() || 'ordinary');
    return [...answered(message).map((line) => line.replace(/ \d+ /, ' ')), ...upstreams];
  };
  const local = ['www.home CNAME nas.home.', 'nas.home A 192.168.1.5'];
  assert.deepEqual(await asked('a.example'), ['a.example CNAME www.home.', ...local]);
  assert.deepEqual(await asked('e.example'), [
    'e.example CNAME back.home.',
    'back.home CNAME a.example.',
    'a.example CNAME www.home.',
    ...local,
  ]);
  assert.deepEqual(await asked('b.example'), [
    'b.example CNAME printer.lan.',
    'printer.lan A 192.168.1.7',
    '192.168.1.1',
  ]);
  assert.deepEqual(await asked('c.example'), ['c.example CNAME out.example.', 'out.example A 192.168.1.7', 'ordinary']);
  assert.deepEqual(await asked('d.lan', types.AAAA), [
    'd.lan CNAME out.example.',
    'out.example A 192.168.1.7',
    'ordinary',
  ]);
  assert.deepEqual(await asked('f.example'), ['f.example CNAME ads.lan.']);
  assert.deepEqual(service.faults, []);
});

test('a forwarding rule chooses the upstreams, the longest domain decides, filters still apply, private addresses pass', async () => {
  const service = startAnswering({
    forwardRules: [rule('lan', '192.168.1.1'), rule('dev.lan', '10.9.9.9'), rule('lan', '10.1.1.1', { profile })],
    lists: { list: ['||ads.lan^'] },
  });
  service.upstream.answer = (question) => upstreamAnswer(question, { answer: [address('x', 192, 168, 1, 7)] });
  const upstreamsFor = async (name: string) => {
    const before = service.upstream.groups.length;
    const { message } = await service.ask(name);
    return [
      service.upstream.groups
        .slice(before)
        .flatMap(({ upstreams }) => upstreams)
        .join(),
      answered(message)[0],
    ];
  };
  assert.deepEqual(await upstreamsFor('nas.lan'), ['10.1.1.1', 'x 300 A 192.168.1.7']);
  assert.deepEqual(await upstreamsFor('nas.dev.lan'), ['10.9.9.9', 'x 300 A 192.168.1.7']);
  assert.deepEqual(await upstreamsFor('ads.lan'), ['', 'ads.lan 10 A 0.0.0.0']);
  assert.deepEqual(await upstreamsFor('example.com'), ['', 'example.com 10 A 0.0.0.0']);
  assert.deepEqual(await upstreamsFor('nas.lan'), ['', 'x 300 A 192.168.1.7'], 'from the cache');
});

test('allowed domains may have private addresses', async () => {
  const service = startAnswering({ settings: withOwn({ rebindingAllowed: ['plex.direct'] }) });
  service.upstream.answer = (question) =>
    upstreamAnswer(question, { answer: [address(nameText(question.name, 0), 192, 168, 1, 7)] });
  for (const _ of [1, 2])
    assert.deepEqual(answered((await service.ask('a.plex.direct')).message), ['a.plex.direct 300 A 192.168.1.7']);
  assert.deepEqual(answered((await service.ask('plex.example')).message), ['plex.example 10 A 0.0.0.0']);
  assert.deepEqual(
    service.records().map(({ rule: reason }) => reason),
    ['', '', 'rebinding protection'],
  );
});

test('search domains complete single labels from records, then from forwarded domains, in order', async () => {
  const service = startAnswering({
    records: [record('nas.home A 192.168.1.5'), record('alone A 10.0.0.9')],
    forwardRules: [rule('lan', '192.168.1.1')],
    settings: withOwn({ searchDomains: ['lan', 'home'] }),
  });
  service.upstream.answer = (question) =>
    nameText(question.name, 0) === 'printer.lan'
      ? upstreamAnswer(question, { answer: [address('printer.lan', 192, 168, 1, 8)] })
      : upstreamAnswer(question, { answer: [], rcode: rcodes.NXDOMAIN, authority: [soa('lan', 60)] });
  assert.deepEqual(answered((await service.ask('printer')).message), [
    'printer 60 CNAME printer.lan.',
    'printer.lan 300 A 192.168.1.8',
  ]);
  assert.deepEqual(answered((await service.ask('nas')).message), [
    'nas 60 CNAME nas.home.',
    'nas.home 60 A 192.168.1.5',
  ]);
  assert.deepEqual(answered((await service.ask('alone')).message), ['alone 60 A 10.0.0.9']);
  assert.deepEqual(answered((await service.ask('unknown')).message), ['rcode 3']);
  const before = service.upstream.asked.length;
  await service.ask('com', { type: types.NS });
  assert.deepEqual(
    service.upstream.asked.slice(before).map(({ name }) => nameText(name, 0)),
    ['com'],
  );
});

const ipv4Only = (service: ReturnType<typeof startAnswering>, aaaa: Parameters<typeof upstreamAnswer>[1]): void => {
  service.upstream.answer = (question) => {
    if (question.type === types.A) return upstreamAnswer(question, { answer: [address('v4.example', 192, 0, 2, 33)] });
    return upstreamAnswer(question, aaaa);
  };
};
const dns64 = (prefix = '64:ff9b::/96') => ({ settings: withOwn({ dns64: { prefix } }) });

test('DNS64 makes addresses for names without IPv6, also from the cache, without AD', async () => {
  const service = startAnswering(dns64());
  ipv4Only(service, { answer: [], authority: [soa('example', 40)], authenticData: true });
  for (const isFirst of [true, false]) {
    const { message } = await service.ask('v4.example', { type: types.AAAA });
    assert.deepEqual(answered(message), ['v4.example 40 AAAA 64:ff9b::c000:221'], `first: ${isFirst}`);
    assert.equal(message?.authenticData, false);
  }
  assert.equal(service.upstream.asked.length, 2, 'both answers are cached');
});

test('DNS64 leaves names with IPv6 and names that do not exist, and ignores mapped addresses', async () => {
  const service = startAnswering(dns64());
  ipv4Only(service, { answer: [address('v4.example', ...Array<number>(15).fill(1), 7)] });
  for (const isSync of [false, true]) {
    const answer = await service.ask('v4.example', { type: types.AAAA });
    assert.deepEqual(answered(answer.message), ['v4.example 300 AAAA 101:101:101:101:101:101:101:107']);
    assert.equal(answer.isSync, isSync);
  }
  ipv4Only(service, { answer: [], rcode: rcodes.NXDOMAIN, authority: [soa('example', 40)] });
  assert.deepEqual(answered((await service.ask('nx.example', { type: types.AAAA })).message), ['rcode 3']);
  assert.equal(service.upstream.asked.filter(({ type }) => type === types.A).length, 0);
  ipv4Only(service, { answer: [address('v4.example', ...Array<number>(10).fill(0), 255, 255, 192, 0, 2, 1)] });
  const mapped = await service.ask('mapped.example', { type: types.AAAA });
  assert.deepEqual(answered(mapped.message), ['v4.example 300 AAAA 64:ff9b::c000:221']);
});

test('DNS64 is not for clients that validate, nor for private addresses below the well-known prefix', async () => {
  const service = startAnswering(dns64());
  ipv4Only(service, { answer: [], authority: [soa('example', 40)] });
  const validating = { type: types.AAAA, edns: { udpSize: 1232, version: 0, dnssecOk: true, options: [] } };
  const change = (query: Uint8Array): void => {
    query[3]! |= 0x10;
  };
  assert.deepEqual(answered((await service.ask('v4.example', { ...validating, change })).message), []);
  service.upstream.answer = (question) =>
    question.type === types.A
      ? upstreamAnswer(question, { answer: [address('p.home.example', 192, 168, 1, 1)] })
      : upstreamAnswer(question, { answer: [], authority: [soa('example', 40)] });
  assert.deepEqual(answered((await service.ask('p.home.example', { type: types.AAAA })).message), []);
});

test('DNS64 with another prefix is subject to the rebinding protection and translates PTR', async () => {
  const service = startAnswering({ ...dns64('2001:db8:122:344::/96'), records: [record('v4.home A 192.0.2.33')] });
  service.upstream.answer = (question) =>
    question.type === types.A
      ? upstreamAnswer(question, { answer: [address('evil.example', 192, 168, 1, 1)] })
      : upstreamAnswer(question, { answer: [], authority: [soa('example', 40)] });
  assert.deepEqual(answered((await service.ask('evil.example', { type: types.AAAA })).message), [
    'evil.example 10 AAAA ::',
  ]);
  const reverse = '1.2.2.0.0.0.0.c.0.0.0.0.0.0.0.0.4.4.3.0.2.2.1.0.8.b.d.0.1.0.0.2.ip6.arpa';
  assert.deepEqual(answered((await service.ask(reverse, { type: types.PTR })).message), [
    `${reverse} 60 CNAME 33.2.0.192.in-addr.arpa.`,
    '33.2.0.192.in-addr.arpa 60 PTR v4.home.',
  ]);
});

test('names of the hosts file are for clients in private networks', async () => {
  const hosts = [{ name: 'box.home', type: 'A', value: '10.0.0.7', ttlSeconds: undefined }] as const;
  const service = startAnswering({ hosts });
  service.upstream.answer = (question) => upstreamAnswer(question, { answer: [], authority: [soa('home', 60)] });
  assert.deepEqual(answered((await service.ask('box.home')).message), [], 'the client has a public address');
  const searching = startAnswering({ hosts, settings: withOwn({ searchDomains: ['home'] }) });
  searching.upstream.answer = service.upstream.answer;
  assert.deepEqual(answered((await searching.ask('box')).message), [], 'nor by a search domain');
  const inside = startAnswering({ hosts, address: [192, 168, 1, 2], records: [record('other.home A 10.0.0.8')] });
  assert.deepEqual(answered((await inside.ask('box.home')).message), ['box.home 60 A 10.0.0.7']);
  assert.deepEqual(answered((await inside.ask('other.home')).message), ['other.home 60 A 10.0.0.8']);
});
