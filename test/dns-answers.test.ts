import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Over, overs } from './support/dig.ts';
import { makeHome, startDns } from './support/dns.ts';
import { address, alias, HERE, hinting, startWorld, text, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const FILTERED = 17;
const texts = (name: string, count: number, bytes: number) =>
  Array.from({ length: count }, (_, number) => text(name, `${number} ${'x'.repeat(bytes)}`));

const world = await startWorld(
  { after },
  worldOf([
    alias('hidden.example.com', 'pixel.tracker.example.org'),
    alias('far.example.com', 'middle.example.com'),
    alias('middle.example.com', 'pixel.tracker.example.org'),
    address('known-bad.example.com', '198.51.100.66'),
    address('known-bad.example.com', '2001:db8::66'),
    hinting('hinted.example.com', '198.51.100.66'),
    address('inside.example.com', '192.168.1.1'),
    address('inside6.example.com', 'fd00::1'),
    address('nas.home.example', '192.168.1.1'),
    ...texts('long.example.com', 20, 200),
    ...texts('huge.example.com', 99, 520),
  ]),
);
const home = await makeHome(await startDns({ after }, world.address, ['--private-domain', 'home.example']));
const { id } = await home.device('asker');
const use = (...rules: string[]): Promise<void> => home.set({ user_rules_settings: { enabled: true, rules } });

/** Over each transport, first from the upstream and then from the cache. */
async function assertEverywhere(name: string, type: string, answer: readonly string[]): Promise<void> {
  for (const over of overs)
    for (const time of ['fresh', 'kept']) {
      const dug = await home.dug(id, over, name, type);
      assert.deepEqual(dug.answer, answer, `${time} over ${over}`);
    }
}

const blocked = (name: string): string[] => [`${name}. 10 IN A 0.0.0.0`];

const leading: readonly (readonly [what: string, rule: string, name: string, type: string, expected: string[]])[] = [
  ['an alias', '||tracker.example.org^', 'hidden.example.com', 'A', blocked('hidden.example.com')],
  ['an alias of an alias', '||tracker.example.org^', 'far.example.com', 'A', blocked('far.example.com')],
  ['an address', '198.51.100.66', 'known-bad.example.com', 'A', blocked('known-bad.example.com')],
  ['an address of IPv6', '2001:db8::66', 'known-bad.example.com', 'AAAA', ['known-bad.example.com. 10 IN AAAA ::']],
  ['a hint', '198.51.100.66', 'hinted.example.com', 'HTTPS', []],
];

for (const [what, rule, name, type, expected] of leading)
  test(`${what} that leads to a blocked target is blocked, fresh and cached`, needs, async () => {
    await use(rule);
    await home.ask('DELETE', '/oapi/v1/query_log');
    await assertEverywhere(name, type, expected);
    for (const row of await home.logged(name, overs.length * 2))
      assert.deepEqual(row.filtering_info, {
        filtering_status: 'RESPONSE_BLOCKED',
        filtering_type: 'USER_FILTER',
        filter_rule: rule,
      });
  });

test('an allow rule for a name allows its targets', needs, async () => {
  await use('||tracker.example.org^', '@@||hidden.example.com^');
  const { answer } = await home.dug(id, 'udp', 'hidden.example.com');
  assert.match(answer[1]!, new RegExp(`A ${HERE}$`));
  assert.equal((await home.logged('hidden.example.com'))[0]!.filtering_info.filtering_status, 'REQUEST_ALLOWED');
});

test('an allow rule for a target is shown in the log', needs, async () => {
  await use('@@||tracker.example.org^');
  await home.dug(id, 'udp', 'far.example.com');
  const { filtering_info } = (await home.logged('far.example.com'))[0]!;
  assert.equal(filtering_info.filtering_status, 'RESPONSE_ALLOWED');
  assert.equal(filtering_info.filter_rule, '@@||tracker.example.org^');
});

test('names of the world do not lead inside, names of the house do', needs, async () => {
  await use();
  await assertEverywhere('inside.example.com', 'A', blocked('inside.example.com'));
  await assertEverywhere('inside6.example.com', 'AAAA', ['inside6.example.com. 10 IN AAAA ::']);
  for (const over of overs)
    assert.match((await home.dug(id, over, 'nas.home.example')).answer[0]!, /A 192\.168\.1\.1$/);
  const [row] = await home.logged('inside.example.com');
  assert.equal(row!.filtering_info.filtering_status, 'RESPONSE_BLOCKED');
});

for (const over of overs)
  test(`a question of class CHAOS is answered over ${over} with the decision and its reason`, needs, async () => {
    await use('||bad.example.com^');
    const debug = async (name: string): Promise<readonly string[]> =>
      (await home.dug(id, over, '-c', 'CH', '-t', 'TXT', name)).answer;
    const line = (name: string, words: string): string => `${name}. 0 CH TXT "${words}"`;
    const common = (name: string) => [
      line(name, 'client-ip: 127.0.0.1'),
      line(name, `device-id: ${id}`),
      line(name, 'identified-by: device id'),
      line(name, `profile-id: ${home.server}`),
    ];
    assert.deepEqual(await debug('good.example.com'), [
      ...common('good.example.com'),
      line('good.example.com', 'verdict: pass'),
    ]);
    assert.deepEqual(await debug('bad.example.com'), [
      ...common('bad.example.com'),
      line('bad.example.com', 'verdict: block'),
      line('bad.example.com', 'rule: ||bad.example.com^'),
      line('bad.example.com', 'list: custom'),
    ]);
    assert.equal(world.timesAsked('good.example.com'), 0);
  });

test('unknown clients learn nothing by class CHAOS', needs, async () => {
  for (const over of overs)
    assert.equal((await home.dug(undefined, over, '-c', 'CH', '-t', 'TXT', 'version.bind')).status, 'REFUSED');
});

test('a query of type ANY gets a minimal answer', needs, async () => {
  for (const over of overs) {
    const { answer } = await home.dug(id, over, '-t', 'ANY', 'any.example.com');
    assert.deepEqual(answer, ['any.example.com. 3600 IN HINFO "RFC8482" ""']);
  }
  assert.equal(world.timesAsked('any.example.com'), 0);
  assert.equal((await home.logged('any.example.com', overs.length)).length, overs.length);
});

test('a client of plain DNS learns the encrypted resolver with its own device id', needs, async () => {
  const { ports, deviceDomain } = home.service;
  const { answer } = await home.dug(id, 'udp', '-t', 'SVCB', '_dns.resolver.arpa');
  const [doh, dot] = answer;
  const own = `${id}.${deviceDomain}.`;
  assert.match(doh!, new RegExp(`SVCB 1 ${own} alpn="h2" port=${ports.doh} key7="/dns-query{\\?dns}"$`));
  assert.match(dot!, new RegExp(`SVCB 2 ${own} alpn="dot" port=${ports.dot}$`));
  assert.equal(answer.length, 2);
});

test('an answer too long for UDP is truncated there, and complete over TCP', needs, async () => {
  for (const time of ['fresh', 'kept']) {
    const cut = await home.dug(id, 'udp', '+ignore', '-t', 'TXT', 'long.example.com');
    assert.ok(cut.flags.includes('tc'), time);
    assert.ok(cut.bytes <= 1232);
    const whole = await home.dug(id, 'udp', '-t', 'TXT', 'long.example.com');
    assert.equal(whole.answer.length, 20, time);
    assert.equal(whole.protocol, 'TCP');
  }
  const small = await home.dug(id, 'udp', '+ignore', '+bufsize=512', '-t', 'TXT', 'long.example.com');
  assert.ok(small.flags.includes('tc') && small.bytes <= 512);
});

for (const over of ['tcp', 'dot', 'doh'] as const)
  test(`an answer of 52 kilobytes comes whole over ${over}`, needs, async () => {
    for (const time of ['fresh', 'kept']) {
      const { answer, bytes, flags } = await home.dug(id, over, '-t', 'TXT', 'huge.example.com');
      assert.equal(answer.length, 99, time);
      assert.ok(bytes > 52_000 && !flags.includes('tc'));
    }
  });

const padding: readonly (readonly [over: Over, words: string[], isPadded: boolean])[] = [
  ['udp', ['+padding=128'], false],
  ['tcp', ['+padding=128'], false],
  ['doh', ['+padding=128'], true],
  ['doh', [], false],
  ['dot', ['+padding'], true],
  ['dot', ['+edns', '+nopadding'], false],
];

for (const [over, words, isPadded] of padding)
  test(
    `an answer over ${over} is ${isPadded ? '' : 'not '}padded when asked by ${words[0] ?? 'nothing'}`,
    needs,
    async () => {
      await use('||padded.example.com^');
      for (const name of ['open.example.com', 'padded.example.com']) {
        const dug = await home.dug(id, over, ...words, name);
        assert.equal(dug.isPadded, isPadded);
        if (isPadded) assert.equal(dug.bytes % 468, 0);
      }
    },
  );

test('cookies are those of the client, and ours are good for the next query', needs, async () => {
  for (const name of ['open.example.com', 'padded.example.com']) {
    const { cookie = '' } = await home.dug(id, 'udp', '+cookie', name);
    const [, bytes] = /^([0-9a-f]{48}) \(good\)$/.exec(cookie)!;
    const again = await home.dug(id, 'udp', `+cookie=${bytes}`, name);
    assert.match(again.cookie!, new RegExp(`^${bytes!.slice(0, 16)}.* \\(good\\)$`));
  }
});

test('a blocked answer has its reason also when it was cached', needs, async () => {
  await use('||tracker.example.org^');
  for (const over of overs) assert.equal((await home.dug(id, over, 'hidden.example.com')).extendedError, FILTERED);
});

test('the answer has the case of the name in the query', needs, async () => {
  // Not over TLS, because kdig converts names to lower case.
  for (const over of ['udp', 'tcp', 'doh'] as const) {
    const { answer } = await home.dug(id, over, 'MiXeD.ExAmPlE.CoM');
    assert.match(answer[0]!, new RegExp(`^MiXeD\\.ExAmPlE\\.CoM\\. .* A ${HERE}$`));
  }
  assert.equal(world.timesAsked('mixed.example.com'), 1);
});
