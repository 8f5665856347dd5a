import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/kit/any-text.ts';
import { slow } from '../../../test/support/kit/slow.ts';
import { accountWith, deviceWith, noOptions, profileWith } from '../../../test/support/resolver/directory.ts';
import { ipv6OfDevice } from '../../domain/dns-addresses.ts';
import type { AccountId, DeviceId, ProfileId } from '../../domain/ids.ts';
import { addressBytes } from './address-key.ts';
import { createDirectory } from './directory.ts';
import { type IdentifyingParts, type Identity, identify, identifySettings } from './identify.ts';

const NETWORK = '2001:db8:0:1::/96';
const options = {
  deviceDomain: 'd.example.org:853',
  deviceNetwork: NETWORK,
  dedicatedPool: ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'],
  unknownClients: 'refuse',
} as const;
const settings = identifySettings(options);

const home = profileWith('aaaaaaaa', { autoConnectDevices: true });
const still = profileWith('aaaaaaa1');
const phone = deviceWith('0000aaa1', home.id, { linkedIp: '192.0.2.1', humanId: 'my-phone', dohPassword: 'jaNh9iXS' });
const vault = deviceWith('0000aaa2', home.id, { linkedIp: '192.0.2.2', humanId: 'vault', dohAuthOnly: true });
const anna = accountWith('anna', {
  profiles: [home, still],
  devices: [phone, vault, deviceWith('0000aaa3', still.id, { humanId: 'tv' })],
  dedicated: [
    { ip: '198.51.100.1', device: phone.id },
    { ip: '198.51.100.2', device: vault.id },
    { ip: '198.51.100.3', device: undefined },
  ],
  networks: [
    { network: '10.0.0.0/8', profile: home.id },
    { network: '10.9.0.0/16', profile: still.id },
  ],
});
const shut = profileWith('cccccccc', { autoConnectDevices: true }, 'cleo');
const cleo = accountWith('cleo', {
  isSuspended: true,
  profiles: [shut],
  networks: [{ network: '172.16.0.0/12', profile: shut.id }],
  devices: [deviceWith('0000ccc1', shut.id, { linkedIp: '192.0.2.9' })],
});
const directory = createDirectory();
for (const account of [anna, cleo]) directory.replace(account);

const ip = (text: string): Uint8Array => addressBytes(text)!;
const query = (request: Partial<IdentifyingParts>): IdentifyingParts => ({
  bytes: new Uint8Array(0),
  transport: 'udp',
  client: ip('203.0.113.5'),
  local: ip('203.0.113.53'),
  ...request,
});
const none = noOptions;
const ask = (request: Partial<IdentifyingParts>, with_ = settings): Identity =>
  identify(query(request), none, directory, with_);
const askWithOption = (text: string, request: Partial<IdentifyingParts> = {}): Identity => {
  const bytes = Buffer.from(`..${text}..`, 'latin1');
  return identify(
    query({ ...request, bytes }),
    { ...noOptions, deviceAt: 2, deviceLength: bytes.length - 4 },
    directory,
    settings,
  );
};

const shown = (identity: Identity): string => {
  if (identity.kind === 'device') return identity.device.id;
  return identity.kind === 'guest' ? `guest ${identity.profile.id}` : identity.kind;
};
const login = (user: string, password: string): Partial<IdentifyingParts> => ({
  transport: 'doh',
  login: { user, password },
});
const path = (text: string): Partial<IdentifyingParts> => ({ transport: 'doh', path: text });
const dot = (serverName: string): Partial<IdentifyingParts> => ({ transport: 'dot', serverName });

const claims: readonly (readonly [what: string, request: Partial<IdentifyingParts>, who: string])[] = [
  ['a login', login('0000aaa1', 'jaNh9iXS'), '0000aaa1'],
  ['a login in capitals', login('0000AAA1', 'jaNh9iXS'), '0000aaa1'],
  ['a wrong password', login('0000aaa1', 'jaNh9iXs'), 'unknown'],
  ['a password that is longer', login('0000aaa1', 'jaNh9iXS\0'), 'unknown'],
  ['no password', login('0000aaa1', ''), 'unknown'],
  ['the password of another device', login('0000aaa1', 'pw-0000aaa2'), 'unknown'],
  ['a login by a name that devices give themselves', login('adr-aaaaaaaa-my-phone', 'jaNh9iXS'), 'unknown'],
  ['a wrong login with the path of a device', { ...login('0000aaa1', 'x'), path: '0000aaa1' }, 'unknown'],
  ['an unknown login with the server name of a device', { ...login('0', 'x'), ...sni('0000aaa1') }, 'unknown'],
  ['a path', path('0000aaa1'), '0000aaa1'],
  ['a path in capitals', path('0000AAA1'), '0000aaa1'],
  ['an unknown path with the server name of a device', { ...path('0000dddd'), ...sni('0000aaa1') }, 'unknown'],
  ['the server name over HTTPS', { transport: 'doh', ...sni('0000aaa1') }, '0000aaa1'],
  ['a server name', dot('0000aaa1.d.example.org'), '0000aaa1'],
  ['a server name in other case, with its dot', dot('0000AAA1.D.Example.ORG.'), '0000aaa1'],
  ['the domain of the devices itself', dot('d.example.org'), 'unknown'],
  ['a label more', dot('x.0000aaa1.d.example.org'), 'unknown'],
  ['another domain', dot('0000aaa1.example.org'), 'unknown'],
  ['a domain that ends alike', dot('0000aaa1.bad.example.org'), 'unknown'],
  ['a domain that ends alike without a dot', dot('0000aaa1d.example.org'), 'unknown'],
  ['no server name', { transport: 'dot' }, 'unknown'],
  ['a linked address over TLS', { transport: 'dot', client: ip('192.0.2.1') }, '0000aaa1'],
  ['a dedicated address over HTTPS', { transport: 'doh', local: ip('198.51.100.1') }, '0000aaa1'],
  ['a linked source', { client: ip('192.0.2.1') }, '0000aaa1'],
  ['a linked source over TCP', { transport: 'tcp', client: ip('192.0.2.1') }, '0000aaa1'],
  ['another source', { client: ip('192.0.2.3') }, 'unknown'],
  ['a dedicated destination', { local: ip('198.51.100.1') }, '0000aaa1'],
  ['a dedicated destination and a source of others', { ...dedicated(), client: ip('192.0.2.2') }, '0000aaa1'],
  ['a dedicated destination of no device', { local: ip('198.51.100.3'), client: ip('192.0.2.1') }, 'drop'],
  ['a dedicated destination of nobody', { local: ip('198.51.100.4'), client: ip('192.0.2.1') }, 'drop'],
  ["a device's own IPv6 address", { local: ip('2001:db8:0:1::0:aaa1') }, '0000aaa1'],
  ['an IPv6 address of no device', { local: ip('2001:db8:0:1::1'), client: ip('192.0.2.1') }, 'drop'],
  ['an IPv6 address of another network', { local: ip('2001:db8:0:2::aaa1') }, 'unknown'],
  ['a login, for a device that needs it', login('0000aaa2', 'pw-0000aaa2'), '0000aaa2'],
  ['a path, for a device that needs a login', path('0000aaa2'), 'unknown'],
  ['its own name, for a device that needs a login', path('otr-aaaaaaaa-vault'), 'unknown'],
  ['a server name, for a device that needs a login', dot('0000aaa2.d.example.org'), 'unknown'],
  ['a linked source, for a device that needs a login', { client: ip('192.0.2.2') }, 'unknown'],
  ['a dedicated destination, for a device that needs a login', { local: ip('198.51.100.2') }, 'unknown'],
  ['its own name', path('adr-aaaaaaaa-My-Phone'), '0000aaa1'],
  ['its own name with another type', dot('WIN-AAAAAAAA-MY-PHONE.d.example.org'), '0000aaa1'],
  ['its own name where devices no longer connect by themselves', path('stv-aaaaaaa1-tv'), '0000aaa3'],
  ['its own name on another server', path('adr-aaaaaaa1-my-phone'), 'unknown'],
  ['a new name', path('adr-aaaaaaaa-New-Phone'), 'unknown human id'],
  ['a new name as server name', dot('adr-aaaaaaaa-New-Phone.d.example.org'), 'unknown human id'],
  ['a new name over two labels', dot('adr-aaaaaaaa-New.Phone.d.example.org'), 'unknown'],
  ['a new name where devices do not connect by themselves', path('adr-aaaaaaa1-New-Phone'), 'unknown'],
  ['a new name on no server', path('adr-bbbbbbbb-New-Phone'), 'unknown'],
  ['a name of no type', path('xyz-aaaaaaaa-New-Phone'), 'unknown'],
  ['a client in an assigned network', { client: ip('10.1.2.3') }, 'guest aaaaaaaa'],
  ['a client in a smaller network', { client: ip('10.9.2.3') }, 'guest aaaaaaa1'],
  ['a client in an assigned network, over TLS', { transport: 'dot', client: ip('10.1.2.3') }, 'guest aaaaaaaa'],
  ['a wrong id from an assigned network', { ...path('0000dddd'), client: ip('10.1.2.3') }, 'guest aaaaaaaa'],
  ['an address outside the networks', { client: ip('11.1.2.3') }, 'unknown'],
  ['a client in a network of a suspended account', { client: ip('172.16.0.1') }, 'unknown'],
  ['a suspended account', path('0000ccc1'), 'unknown'],
  ['a suspended account by its linked source', { client: ip('192.0.2.9') }, 'unknown'],
  ['a new name in a suspended account', path('adr-cccccccc-New-Phone'), 'unknown'],
];
for (const [what, request, who] of claims) {
  test(`${what} makes it ${who}`, () => {
    assert.equal(shown(ask(request)), who);
  });
}

function sni(device: string): Partial<IdentifyingParts> {
  return { serverName: `${device}.d.example.org` };
}

function dedicated(): Partial<IdentifyingParts> {
  return { local: ip('198.51.100.1') };
}

test('the option of EDNS names a device on plain DNS, before its addresses', () => {
  assert.equal(shown(askWithOption('0000aaa1')), '0000aaa1');
  assert.equal(shown(askWithOption('0000AAA1', { transport: 'tcp', client: ip('192.0.2.2') })), '0000aaa1');
  assert.equal(shown(askWithOption('0000dddd', { client: ip('192.0.2.1') })), 'unknown');
  assert.equal(shown(askWithOption('0000aaa2')), 'unknown');
});

test('the option of EDNS counts on plain DNS alone, and creates nothing', () => {
  assert.equal(shown(askWithOption('0000aaa1', { transport: 'dot' })), 'unknown');
  assert.equal(shown(askWithOption('adr-aaaaaaaa-New')), 'unknown');
  assert.equal(shown(askWithOption('0000aaa1\0')), 'unknown');
  assert.equal(shown(askWithOption('000aaa1')), 'unknown');
  // Setting the lower-case bit of every byte would make this the id.
  assert.equal(shown(askWithOption('\x10000aaa1')), 'unknown');
});

test('a name that may become a device says what the device will be called', () => {
  const identity = ask(dot('adr-aaaaaaaa-New--Phone-2.d.example.org'));
  assert.ok(identity.kind === 'unknown human id');
  assert.deepEqual(identity.humanId, {
    type: 'ANDROID',
    profile: 'aaaaaaaa',
    humanId: 'new--phone-2',
    name: 'New-Phone 2',
  });
  assert.equal(identity.account.id, 'anna');
});

test('an account without room gets no device', () => {
  const full = createDirectory();
  full.replace({ ...anna, limits: { ...anna.limits, devices: anna.devices.length } });
  assert.equal(shown(identify(query(path('adr-aaaaaaaa-New')), none, full, settings)), 'unknown');
  assert.equal(shown(identify(query(path('adr-aaaaaaaa-My-Phone')), none, full, settings)), '0000aaa1');
});

test('unknown clients come under the profile that the operator names, if it is there and not suspended', () => {
  const open = (id: string) => identifySettings({ ...options, unknownClients: id as ProfileId });
  const guest = ask(path('0000dddd'), open('aaaaaaa1'));
  assert.ok(guest.kind === 'guest');
  assert.equal(guest.profile.id, 'aaaaaaa1');
  assert.equal(shown(ask(login('0000aaa1', 'wrong'), open('aaaaaaa1'))), 'guest aaaaaaa1');
  assert.equal(shown(ask(path('0000ccc1'), open('aaaaaaa1'))), 'guest aaaaaaa1');
  assert.equal(shown(ask({ local: ip('198.51.100.4') }, open('aaaaaaa1'))), 'drop');
  assert.equal(shown(ask({}, open('dddddddd'))), 'unknown');
  assert.equal(shown(ask({}, open('cccccccc'))), 'unknown');
});

test('the displayed IPv6 address of a device identifies it, with any suffix', () => {
  fc.assert(
    fc.property(fc.nat(0xffff_ffff), fc.boolean(), (number, isOlder) => {
      const digits = number.toString(16).padStart(8, '0');
      const id = (isOlder ? digits : '0123456789abcdef') as DeviceId;
      const addressSuffix = isOlder ? undefined : digits;
      const one = createDirectory();
      one.replace(accountWith('anna', { profiles: [home], devices: [deviceWith(id, home.id, { addressSuffix })] }));
      const local = ip(ipv6OfDevice(NETWORK, { id, addressSuffix })!);
      assert.equal(shown(identify(query({ local }), none, one, settings)), id);
      one.remove('anna' as AccountId);
      assert.equal(shown(identify(query({ local }), none, one, settings)), 'drop');
    }),
  );
});

test('a long id names a device in every way that a short one does', () => {
  const id = '0123456789abcdef';
  const one = createDirectory();
  one.replace(accountWith('anna', { profiles: [home], devices: [deviceWith(id, home.id, { dohPassword: 'long' })] }));
  const by = (request: Partial<IdentifyingParts>, option = none) =>
    shown(identify(query(request), option, one, settings));
  for (const spelling of [id, id.toUpperCase()]) {
    assert.equal(by(login(spelling, 'long')), id);
    assert.equal(by(path(spelling)), id);
    assert.equal(by(dot(`${spelling}.d.example.org`)), id);
    assert.equal(by({ bytes: Buffer.from(spelling) }, { ...noOptions, deviceAt: 0, deviceLength: 16 }), id);
  }
  for (const length of [8, 15])
    assert.equal(by({ bytes: Buffer.from(id) }, { ...noOptions, deviceAt: 0, deviceLength: length }), 'unknown');
});

test('without dedicated addresses and a device network, only the source address identifies', () => {
  const plain = identifySettings({ ...options, deviceNetwork: undefined, dedicatedPool: [] });
  assert.equal(shown(ask({ local: ip('2001:db8:0:1::aaa1'), client: ip('192.0.2.1') }, plain)), '0000aaa1');
  assert.equal(shown(ask({ local: ip('::') }, plain)), 'unknown');
});

// Everything that an attacker may know: not the ids, names, addresses and passwords of Anna's devices.
const noise = fc.oneof(
  fc.string({ maxLength: 24 }),
  anyText(16),
  fc.string({ unit: fc.constantFrom('0', 'a', 'A', '1', '-', '.', '\u212a', '\u0131', '\0', '%'), maxLength: 24 }),
  fc
    .tuple(fc.constantFrom('adr', 'OTR', 'win', ''), fc.constantFrom('bbbbbbbb', 'aaaaaaa', ''), fc.string())
    .map(([type, server, name]) => `${type}-${server}-${name}`),
);
const bert = profileWith('bbbbbbbb', { autoConnectDevices: true }, 'bert');
const two = createDirectory();
two.replace(anna);
two.replace(
  accountWith('bert', {
    profiles: [bert],
    devices: [
      deviceWith('0000bbb1', bert.id, { linkedIp: '192.0.2.77', humanId: 'my-phone', dohPassword: 'jaNh9iXS' }),
    ],
  }),
);

test('no spelling of anything makes one a device of another account', () => {
  const address = fc.constantFrom('192.0.2.77', '203.0.113.1', '::', '2001:db8:0:1::bbb1', '::ffff:192.0.2.77').map(ip);
  const request: fc.Arbitrary<IdentifyingParts> = fc.record({
    bytes: noise.map((text) => Buffer.from(text, 'latin1')),
    transport: fc.constantFrom('udp', 'tcp', 'dot', 'doh'),
    client: address,
    local: address,
    serverName: fc.option(
      fc.oneof(
        noise,
        noise.map((label) => `${label}.d.example.org`),
      ),
      { nil: undefined },
    ),
    path: fc.option(noise, { nil: undefined }),
    login: fc.option(fc.record({ user: noise, password: fc.oneof(noise, fc.constant('jaNh9iXS')) }), {
      nil: undefined,
    }),
  });
  fc.assert(
    fc.property(request, fc.boolean(), (request, hasOption) => {
      const option = hasOption ? { ...noOptions, deviceAt: 0, deviceLength: request.bytes.length } : none;
      const identity = identify(request, option, two, settings);
      if ('account' in identity) assert.equal(identity.account.id, 'bert');
    }),
    { numRuns: 20_000 },
  );
});

test('a hundred thousand guesses of an id find no device', slow, () => {
  let found = 0;
  let state = 12345;
  for (let i = 0; i < 100_000; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const id = state.toString(16).padStart(8, '0');
    if (identify(query(path(id)), none, two, settings).kind !== 'unknown') found += 1;
  }
  assert.equal(found, 0);
});
