import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWith, deviceWith, noOptions, profileWith } from '../../../test/support/resolver/directory.ts';
import type { ClientIdentifier } from '../../domain/client-identifiers.ts';
import type { DeviceId } from '../../domain/ids.ts';
import { addressBytes } from './address-key.ts';
import { createDirectory } from './directory.ts';
import { type IdentifyingParts, identify, identifySettings } from './identify.ts';

const settings = identifySettings({
  deviceDomain: 'd.example.org',
  deviceNetwork: undefined,
  dedicatedPool: ['192.168.1.53'],
  unknownClients: 'refuse',
});
const home = profileWith('aaaaaaaa');
const mac = '02:00:00:00:00:01';
const otherMac = '02:00:00:00:00:02';

/** One device for each way to identify the same client, most specific first. */
const ways: readonly (readonly [device: string, identifier: ClientIdentifier | undefined])[] = [
  ['00000001', { kind: 'mac', value: mac }],
  ['00000002', { kind: 'address', value: '192.168.1.20' }],
  ['00000003', { kind: 'host name', value: 'tablet.lan' }],
  ['00000004', { kind: 'host name', value: 'tab*.lan' }],
  ['00000005', { kind: 'host name', value: '*.lan' }],
  ['00000006', { kind: 'network', value: '192.168.1.0/24' }],
  ['00000007', { kind: 'network', value: '192.168.0.0/16' }],
  ['00000008', undefined],
];

const hosts = [{ address: '192.168.1.20', mac, names: ['tablet.lan'] }];
const ip = (text: string): Uint8Array => addressBytes(text)!;
const query = (changes: Partial<IdentifyingParts> = {}): IdentifyingParts => ({
  bytes: Buffer.from('0200000000020000000000010000000000', 'hex'),
  transport: 'udp',
  client: ip('192.168.1.20'),
  local: ip('192.168.1.2'),
  ...changes,
});
const option = { ...noOptions, macAt: 0, macLength: 6 };

function directoryWith(from: number, changes: Partial<Parameters<typeof deviceWith>[2]> = {}) {
  const directory = createDirectory();
  const left = ways.slice(from);
  directory.replace(
    accountWith('anna', {
      profiles: [home],
      devices: left.map(([device]) => deviceWith(device, home.id, changes)),
      identifiers: left.flatMap(([device, each]) => (each ? [{ ...each, device: device as DeviceId }] : [])),
      networks: [{ network: '192.168.0.0/16', profile: home.id }],
      dedicated: [{ ip: '192.168.1.53', device: '00000008' as DeviceId }],
    }),
  );
  directory.setHosts(hosts);
  return directory;
}

const shown = (identity: ReturnType<typeof identify>): string =>
  identity.kind === 'device' ? identity.device.id : identity.kind;

for (const [nth, [device, identifier]] of ways.entries())
  test(`${identifier ? `${identifier.kind} ${identifier.value}` : 'the network of a DNS server'} decides if nothing more specific matches`, () => {
    assert.equal(shown(identify(query(), noOptions, directoryWith(nth), settings)), identifier ? device : 'guest');
  });

test('an id that the client presents and a dedicated address come before identifiers', () => {
  const directory = directoryWith(0);
  assert.equal(
    shown(identify(query({ transport: 'doh', path: '00000008' }), noOptions, directory, settings)),
    '00000008',
  );
  assert.equal(shown(identify(query({ transport: 'doh', path: 'ffffffff' }), noOptions, directory, settings)), 'guest');
  assert.equal(shown(identify(query({ local: ip('192.168.1.53') }), noOptions, directory, settings)), '00000008');
});

test('a linked address is as specific as an address, and the address wins', () => {
  const directory = createDirectory();
  const linked = deviceWith('0000000a', home.id, { linkedIp: '192.168.1.20' });
  const named = deviceWith('0000000b', home.id);
  const account = accountWith('anna', {
    profiles: [home],
    devices: [linked, named],
    identifiers: [{ kind: 'host name', value: 'tablet', device: named.id }],
  });
  directory.replace(account);
  directory.setHosts(hosts);
  assert.equal(shown(identify(query(), noOptions, directory, settings)), linked.id);
  directory.replace({ ...account, identifiers: [{ kind: 'address', value: '192.168.1.20', device: named.id }] });
  assert.equal(shown(identify(query(), noOptions, directory, settings)), named.id);
});

test('the MAC address in a query describes the client behind a forwarder; without a device for it, the forwarder counts', () => {
  const directory = createDirectory();
  const [router, tablet] = [deviceWith('0000000a', home.id), deviceWith('0000000b', home.id)];
  const devices = accountWith('anna', { profiles: [home], devices: [router, tablet] });
  const forwarder = { kind: 'mac', value: mac, device: router.id } as const;
  directory.setHosts([...hosts, { address: '192.168.1.30', mac: otherMac, names: ['kids-tablet'] }]);
  const identified = (): string => shown(identify(query(), option, directory, settings));
  directory.replace({ ...devices, identifiers: [forwarder] });
  assert.equal(identified(), router.id);
  for (const identifier of [
    { kind: 'mac', value: otherMac },
    { kind: 'address', value: '192.168.1.30' },
    { kind: 'host name', value: 'kids-*' },
    { kind: 'network', value: '192.168.1.30/31' },
  ] as const) {
    directory.replace({ ...devices, identifiers: [forwarder, { ...identifier, device: tablet.id }] });
    assert.equal(identified(), tablet.id, identifier.kind);
  }
});

test('a MAC address in a query from a public address, or over TLS, describes nothing', () => {
  const directory = createDirectory();
  const tablet = deviceWith('0000000b', home.id);
  const identifiers = [{ kind: 'mac', value: otherMac, device: tablet.id }] as const;
  directory.replace(accountWith('anna', { profiles: [home], devices: [tablet], identifiers }));
  assert.equal(shown(identify(query(), option, directory, settings)), tablet.id);
  assert.equal(shown(identify(query({ client: ip('203.0.113.1') }), option, directory, settings)), 'unknown');
  assert.equal(shown(identify(query({ transport: 'dot' }), option, directory, settings)), 'unknown');
});

test('a device that needs a login is not identified by its identifiers', () => {
  assert.equal(shown(identify(query(), noOptions, directoryWith(0, { dohAuthOnly: true }), settings)), 'guest');
});

test('identifiers of a replaced or removed account, and of devices of other accounts, identify nothing', () => {
  const directory = directoryWith(0);
  directory.replace(accountWith('anna', { profiles: [home], devices: [deviceWith('00000001', home.id)] }));
  assert.equal(shown(identify(query(), noOptions, directory, settings)), 'unknown');
  const identifiers = [{ kind: 'mac', value: mac, device: '00000001' as DeviceId }] as const;
  directory.replace(accountWith('bert', { identifiers }));
  assert.equal(shown(identify(query(), noOptions, directory, settings)), 'unknown');
});
