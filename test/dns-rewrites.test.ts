import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { overs } from './support/dig.ts';
import { makeHome, startDns, until } from './support/dns.ts';
import { alias, HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const TTL = 44;

const world = await startWorld({ after }, worldOf([alias('alias.example.org', 'nx-end.example.org')]));
const home = await makeHome(await startDns({ after }, world.address));
const { id } = await home.device('rewritten for');

const SOA = 'SOA blocked.invalid. nobody.invalid. 1 3600 600 86400 86400';
const records = (name: string, ...lines: string[]): string[] => lines.map((line) => `${name}. ${TTL} IN ${line}`);

type Case = {
  readonly rule: string;
  readonly asks: string;
  readonly status?: string;
  readonly answer?: readonly string[];
  readonly authority?: readonly string[];
};

const nothing = { answer: [], authority: [SOA] };
const cases: readonly Case[] = [
  { rule: '198.51.100.20', asks: 'A', answer: ['A 198.51.100.20'] },
  { rule: '198.51.100.20', asks: 'AAAA', ...nothing },
  { rule: '198.51.100.20', asks: 'HTTPS', ...nothing },
  { rule: '2001:db8::20', asks: 'AAAA', answer: ['AAAA 2001:db8::20'] },
  { rule: 'NOERROR;A;198.51.100.21', asks: 'A', answer: ['A 198.51.100.21'] },
  { rule: 'NOERROR;AAAA;2001:db8::21', asks: 'AAAA', answer: ['AAAA 2001:db8::21'] },
  { rule: 'NOERROR;TXT;hello world', asks: 'TXT', answer: ['TXT "hello world"'] },
  { rule: 'NOERROR;MX;10 mail.example.org', asks: 'MX', answer: ['MX 10 mail.example.org.'] },
  { rule: 'NOERROR;MX;0 .', asks: 'MX', answer: ['MX 0 .'] },
  { rule: 'NOERROR;PTR;host.example.org', asks: 'PTR', answer: ['PTR host.example.org.'] },
  { rule: 'NOERROR;SRV;1 2 443 host.example.org', asks: 'SRV', answer: ['SRV 1 2 443 host.example.org.'] },
  { rule: 'NOERROR;HTTPS;1 . alpn=h3', asks: 'HTTPS', answer: ['HTTPS 1 . alpn="h3"'] },
  { rule: 'NOERROR;SVCB;1 host.example.org alpn=h2', asks: 'SVCB', answer: ['SVCB 1 host.example.org. alpn="h2"'] },
  { rule: 'NOERROR;;', asks: 'A', ...nothing },
  { rule: 'REFUSED', asks: 'A', status: 'REFUSED', answer: [] },
  { rule: 'NXDOMAIN;;', asks: 'A', status: 'NXDOMAIN', ...nothing },
  { rule: 'SERVFAIL;;', asks: 'TXT', status: 'SERVFAIL', answer: [] },
];

const nameOf = (number: number): string => `form-${number}.example.com`;

test('a rewrite of each form is answered with its value', needs, async () => {
  const rules = cases.map(({ rule }, number) => `|${nameOf(number)}^$dnsrewrite=${rule}`);
  await home.set({ block_ttl_seconds: TTL, user_rules_settings: { enabled: true, rules } });
  await Promise.all(
    cases.map(async ({ asks, status = 'NOERROR', answer = [], authority = [] }, number) => {
      const name = nameOf(number);
      const dug = await home.dug(id, overs[number % overs.length]!, name, asks);
      assert.equal(dug.status, status, dug.text);
      assert.deepEqual(dug.answer, records(name, ...answer), dug.text);
      assert.deepEqual(dug.authority, records(name, ...authority), dug.text);
      const [row] = await home.logged(name);
      assert.deepEqual(row!.filtering_info, {
        filtering_status: 'MODIFIED',
        filtering_type: 'USER_FILTER',
        filter_rule: rules[number],
      });
    }),
  );
  assert.deepEqual(
    world.asked.filter(({ name }) => name.startsWith('form-')),
    [],
  );
});

const use = (...rules: string[]): Promise<void> => home.set({ user_rules_settings: { enabled: true, rules } });

test('several rewrites of one name are answered together', needs, async () => {
  await use(...['20', '21'].map((last) => `||many.example.com^$dnsrewrite=198.51.100.${last}`));
  const { answer } = await home.dug(id, 'udp', 'many.example.com');
  assert.deepEqual([...answer].sort(), records('many.example.com', 'A 198.51.100.20', 'A 198.51.100.21'));
});

for (const form of ['there.example.org', 'NOERROR;CNAME;there.example.org'])
  test(`a rewrite to a name (${form}) is resolved there, for every type`, needs, async () => {
    await use(`||here.example.com^$dnsrewrite=${form}`);
    for (const over of overs) {
      const { answer } = await home.dug(id, over, 'here.example.com');
      assert.equal(answer[0], `here.example.com. ${TTL} IN CNAME there.example.org.`);
      assert.match(answer[1]!, new RegExp(`^there\\.example\\.org\\. \\d+ IN A ${HERE}$`));
    }
    const { answer } = await home.dug(id, 'udp', 'here.example.com', 'HTTPS');
    assert.deepEqual(answer, records('here.example.com', 'CNAME there.example.org.'));
    assert.equal(world.timesAsked('here.example.com'), 0);
  });

test('the target of a rewrite has the TTL that is left of its cached answer', needs, async () => {
  await use('||young.example.com^$dnsrewrite=old.example.org');
  const ttlOf = (line: string): number => Number(/^old\.example\.org\. (\d+) IN A/.exec(line)![1]);
  await until('two seconds of its TTL to pass', async () => {
    const { answer, text } = await home.dug(id, 'udp', 'old.example.org');
    assert.equal(answer.length, 1, text);
    return ttlOf(answer[0]!) <= 298 || undefined;
  });
  const { answer } = await home.dug(id, 'udp', 'young.example.com');
  assert.ok(ttlOf(answer[1]!) <= 298, `${answer[1]} two seconds after 300`);
});

test('rewrites are followed to further rewrites, and the last name is resolved upstream', needs, async () => {
  await use(
    '|first.example.com^$dnsrewrite=second.example.com',
    '|second.example.com^$dnsrewrite=third.example.com',
    '|third.example.com^$dnsrewrite=alias.example.org',
  );
  const { status, answer } = await home.dug(id, 'udp', 'first.example.com');
  assert.equal(status, 'NXDOMAIN');
  assert.deepEqual(answer.slice(0, 3), [
    ...records('first.example.com', 'CNAME second.example.com.'),
    ...records('second.example.com', 'CNAME third.example.com.'),
    ...records('third.example.com', 'CNAME alias.example.org.'),
  ]);
  assert.equal(answer[3], 'alias.example.org. 300 IN CNAME nx-end.example.org.');
  await use(
    '|first.example.com^$dnsrewrite=second.example.com',
    '|second.example.com^$dnsrewrite=NOERROR;A;198.51.100.30',
  );
  assert.deepEqual((await home.dug(id, 'tcp', 'first.example.com')).answer, [
    ...records('first.example.com', 'CNAME second.example.com.'),
    ...records('second.example.com', 'A 198.51.100.30'),
  ]);
});

test('rewrites that go round in a circle are a failure, and soon', needs, async () => {
  await use('|left.example.com^$dnsrewrite=right.example.com', '|right.example.com^$dnsrewrite=left.example.com');
  for (const over of overs) {
    const { status, extendedError } = await home.dug(id, over, '+time=5', 'left.example.com');
    assert.equal(status, 'SERVFAIL');
    assert.equal(extendedError, 0);
  }
});

test('a rewrite to a blocked name leads nowhere', needs, async () => {
  await use('|goes.example.com^$dnsrewrite=bad.example.org', '||bad.example.org^');
  const { answer, authority, extendedError } = await home.dug(id, 'udp', 'goes.example.com');
  assert.deepEqual(answer, records('goes.example.com', 'CNAME bad.example.org.'));
  assert.deepEqual(authority, [`goes.example.com. 60 IN ${SOA}`]);
  assert.equal(extendedError, 17);
  assert.equal(world.timesAsked('bad.example.org'), 0);
});

test('a rewrite of a domain to a name under it does not apply to that name', needs, async () => {
  await use('||own.example.com^$dnsrewrite=safe.own.example.com');
  assert.match((await home.dug(id, 'udp', 'www.own.example.com')).answer[1]!, new RegExp(`A ${HERE}$`));
  // It is cached now, perhaps for only a second.
  const { answer } = await home.dug(id, 'udp', 'safe.own.example.com');
  assert.match(answer.join(), new RegExp(`^safe\\.own\\.example\\.com\\. \\d+ IN A ${HERE}$`));
});

test('an exception takes a rewrite back', needs, async () => {
  await use('||back.example.com^$dnsrewrite=198.51.100.40', '@@||back.example.com^$dnsrewrite');
  assert.deepEqual((await home.dug(id, 'udp', 'back.example.com')).answer, [`back.example.com. 300 IN A ${HERE}`]);
});
