import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Dug, overs } from './support/dig.ts';
import { makeHome, startDns } from './support/dns.ts';
import { HERE, HERE_V6, startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const FILTERED = 17;
const TTL = 77;

const world = await startWorld({ after });
const home = await makeHome(await startDns({ after }, world.address));
const { id } = await home.device('blocked for');
await home.set({
  block_ttl_seconds: TTL,
  user_rules_settings: { enabled: true, rules: ['||blocked.example.com^', '||both.example.com^$client=blocked for'] },
});

const DOMAIN = 'blocked.example.com';
const record = (type: string, data: string): string => `${DOMAIN}. ${TTL} IN ${type} ${data}`;
const nothing = { answer: [], authority: [record('SOA', 'blocked.invalid. nobody.invalid. 1 3600 600 86400 86400')] };
const found = (type: string, data: string) => ({ answer: [record(type, data)], authority: [] });

type Said = Pick<Dug, 'status' | 'answer' | 'authority' | 'extendedError'>;
const types = ['A', 'AAAA', 'HTTPS', 'TXT'] as const;
type Expected = Readonly<Record<(typeof types)[number], Said>>;

const all = (said: Said): Expected => ({ A: said, AAAA: said, HTTPS: said, TXT: said });
const noData: Said = { status: 'NOERROR', ...nothing, extendedError: FILTERED };
const nullAddresses: Expected = {
  ...all(noData),
  A: { ...noData, ...found('A', '0.0.0.0') },
  AAAA: { ...noData, ...found('AAAA', '::') },
};
const ownV4: Said = { status: 'NOERROR', ...found('A', '198.51.100.99'), extendedError: FILTERED };
const ownV6: Said = { status: 'NOERROR', ...found('AAAA', '2001:db8::99'), extendedError: FILTERED };
const v4 = { ipv4_blocking_address: '198.51.100.99' };
const v6 = { ipv6_blocking_address: '2001:db8::99' };

const modes: readonly (readonly [title: string, settings: object, expected: Expected])[] = [
  ['NONE', { blocking_mode: 'NONE' }, nullAddresses],
  ['NULL_IP', { blocking_mode: 'NULL_IP' }, nullAddresses],
  ['NXDOMAIN', { blocking_mode: 'NXDOMAIN' }, all({ ...noData, status: 'NXDOMAIN' })],
  ['REFUSED', { blocking_mode: 'REFUSED' }, all({ ...noData, status: 'REFUSED' })],
  ['CUSTOM_IP', { blocking_mode: 'CUSTOM_IP', ...v4, ...v6 }, { ...all(noData), A: ownV4, AAAA: ownV6 }],
  [
    'CUSTOM_IP of one family',
    { blocking_mode: 'CUSTOM_IP', ...v4, ipv6_blocking_address: '' },
    { ...all(noData), A: ownV4 },
  ],
];

const said = ({ status, answer, authority, extendedError }: Dug): Said => ({
  status,
  answer,
  authority,
  extendedError,
});

for (const [title, settings, expected] of modes)
  test(`blocking by ${title} is the same over all transports`, needs, async () => {
    await home.set({ blocking_mode_settings: settings });
    const cases = overs.flatMap((over) => types.map((type) => ({ over, type })));
    await Promise.all(
      cases.map(async ({ over, type }) => {
        const answer = await home.dug(id, over, DOMAIN, type);
        assert.deepEqual(said(answer), expected[type], `${type} over ${over}`);
      }),
    );
    assert.equal(world.timesAsked(DOMAIN), 0);
  });

test('a client without EDNS gets no options', needs, async () => {
  await home.set({ blocking_mode_settings: { blocking_mode: 'NULL_IP' } });
  const { answer, hasEdns } = await home.dug(id, 'doh', '+noedns', DOMAIN);
  assert.deepEqual(answer, [record('A', '0.0.0.0')]);
  assert.equal(hasEdns, false);
});

test('a client that requests the reason gets it as structured error data', needs, async () => {
  const { extendedError, extraText } = await home.dug(id, 'udp', '+ednsopt=15', DOMAIN);
  assert.equal(extendedError, FILTERED);
  assert.equal(JSON.parse(extraText!).o, 'Weir');
});

test('blocked answers live as long as the settings say, down to not at all', needs, async () => {
  await home.set({ block_ttl_seconds: 0 });
  assert.deepEqual((await home.dug(id, 'udp', DOMAIN)).answer, [`${DOMAIN}. 0 IN A 0.0.0.0`]);
  await home.set({ block_ttl_seconds: TTL });
  assert.deepEqual((await home.dug(id, 'udp', DOMAIN)).answer, [record('A', '0.0.0.0')]);
});

test('the log names the rule that blocked', needs, async () => {
  for (const { filtering_info, device_id } of await home.logged(DOMAIN)) {
    assert.deepEqual(filtering_info, {
      filtering_status: 'REQUEST_BLOCKED',
      filtering_type: 'USER_FILTER',
      filter_rule: `||${DOMAIN}^`,
    });
    assert.equal(device_id, id);
  }
});

test('a rule for one device is for that one alone', needs, async () => {
  const other = await home.device('not blocked for');
  for (const over of overs) {
    assert.match((await home.dug(id, over, 'both.example.com')).answer[0]!, /A 0\.0\.0\.0$/);
    assert.match((await home.dug(other.id, over, 'both.example.com')).answer[0]!, new RegExp(`A ${HERE}$`));
  }
});

test('nothing is filtered while protection is off, for the server or for the device', needs, async () => {
  const isBlocked = async (): Promise<boolean[]> => {
    const answers = await Promise.all(overs.map((over) => home.dug(id, over, DOMAIN, 'AAAA')));
    return [...new Set(answers.map(({ answer }) => !answer[0]!.endsWith(HERE_V6)))];
  };
  const protect = (enabled: boolean) =>
    home.ask('PUT', `/oapi/v1/devices/${id}/settings`, { protection_enabled: enabled });
  assert.deepEqual(await isBlocked(), [true]);
  await home.set({ protection_enabled: false });
  assert.deepEqual(await isBlocked(), [false]);
  await home.set({ protection_enabled: true });
  assert.deepEqual(await isBlocked(), [true]);
  await protect(false);
  assert.deepEqual(await isBlocked(), [false]);
  await protect(true);
  await home.set({ user_rules_settings: { enabled: false } });
  assert.deepEqual(await isBlocked(), [false]);
  await home.set({ user_rules_settings: { enabled: true } });
  assert.deepEqual(await isBlocked(), [true]);
});
