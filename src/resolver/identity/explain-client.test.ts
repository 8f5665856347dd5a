import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWith, deviceWith, noOptions, profileWith } from '../../../test/support/resolver/directory.ts';
import type { DeviceIdentifier } from '../../domain/client-identifiers.ts';
import type { AccountId } from '../../domain/ids.ts';
import { addressBytes } from './address-key.ts';
import { createDirectory } from './directory.ts';
import { explainClient, identifiedBy } from './explain-client.ts';
import { type IdentifyingParts, identify, identifySettings } from './identify.ts';

const settings = identifySettings({
  deviceDomain: 'd.example.org',
  deviceNetwork: undefined,
  dedicatedPool: [],
  unknownClients: 'refuse',
});
const home = profileWith('aaaaaaaa');
const tablet = deviceWith('00000001', home.id, { linkedIp: '192.168.1.40' });
const router = deviceWith('00000002', home.id);
const shut = profileWith('cccccccc', {}, 'cleo');
const gone = deviceWith('00000003', shut.id);
const MAC = '02:00:00:00:00:01';
const identifiers: readonly DeviceIdentifier[] = [
  { kind: 'mac', value: MAC, device: tablet.id },
  { kind: 'host name', value: 'tab*', device: tablet.id },
  { kind: 'address', value: '192.168.1.1', device: router.id },
  { kind: 'network', value: '192.168.1.0/24', device: router.id },
];
const directory = createDirectory();
directory.replace(
  accountWith('anna', {
    profiles: [home],
    devices: [tablet, router],
    identifiers,
    networks: [{ network: '192.168.0.0/16', profile: home.id }],
  }),
);
directory.replace(
  accountWith('cleo', {
    isSuspended: true,
    profiles: [shut],
    devices: [gone],
    identifiers: [{ kind: 'address', value: '192.168.7.7', device: gone.id }],
  }),
);
directory.setHosts([
  { address: '192.168.1.20', mac: MAC, names: ['tablet.lan'] },
  { address: '192.168.9.9', names: ['tab-2.lan'] },
]);

const ip = (text: string): Uint8Array => addressBytes(text)!;

const cases: readonly (readonly [address: string, mac: string | undefined, by: string])[] = [
  ['192.168.1.20', undefined, `mac ${MAC}`],
  ['192.168.9.9', undefined, 'host name tab*'],
  ['192.168.1.40', undefined, 'linked address 192.168.1.40'],
  ['192.168.1.1', undefined, 'address 192.168.1.1'],
  ['192.168.1.1', MAC, `mac ${MAC}`],
  ['192.168.1.1', '02:00:00:00:00:09', 'address 192.168.1.1'],
  ['192.168.1.50', undefined, 'network 192.168.1.0/24'],
  ['192.168.2.1', undefined, 'assigned network 192.168.0.0/16'],
  ['192.168.7.7', undefined, 'assigned network 192.168.0.0/16'],
  ['203.0.113.1', undefined, 'none'],
  ['203.0.113.1', MAC, 'none'],
];
for (const [address, mac, by] of cases)
  test(`the explanation of ${address}${mac ? ` with ${mac}` : ''} is what the resolver does: ${by}`, () => {
    const bytes = Buffer.from((mac ?? '').replaceAll(':', ''), 'hex');
    const request: IdentifyingParts = { bytes, transport: 'udp', client: ip(address), local: ip('192.168.1.2') };
    const options = { ...noOptions, macLength: bytes.length };
    const live = identify(request, options, directory, settings);
    const explained = explainClient({ address: ip(address), mac }, 'anna' as AccountId, directory, settings);
    assert.equal(explained.device, live.kind === 'device' ? live.device.id : undefined);
    assert.equal(explained.dnsServer, 'profile' in live ? live.profile.id : undefined);
    assert.equal(explained.by ? `${explained.by.kind} ${explained.by.value}` : 'none', by);
    if (live.kind === 'device') assert.equal(identifiedBy(request, options, directory, settings), by);
  });

test('less specific matches are listed in the order in which they would decide', () => {
  const { others } = explainClient({ address: ip('192.168.1.1'), mac: MAC }, 'anna' as AccountId, directory, settings);
  assert.deepEqual(others, [
    { kind: 'host name', value: 'tab*', device: tablet.id },
    { kind: 'network', value: '192.168.1.0/24', device: router.id },
    { kind: 'address', value: '192.168.1.1', device: router.id },
    { kind: 'assigned network', value: '192.168.0.0/16', device: undefined },
  ]);
});

test('a described host name counts for the client, with or without its address', () => {
  const by = (client: Parameters<typeof explainClient>[0]) =>
    explainClient(client, 'anna' as AccountId, directory, settings).by?.value;
  assert.equal(by({ address: undefined, mac: undefined, names: ['TAB-3.lan'] }), 'tab*');
  assert.equal(by({ address: ip('192.168.1.50'), mac: undefined, names: ['tab-3'] }), 'tab*');
});

test('an account learns nothing about clients of another account', () => {
  const bert = 'bert' as AccountId;
  assert.deepEqual(explainClient({ address: ip('192.168.1.20'), mac: undefined }, bert, directory, settings), {
    device: undefined,
    dnsServer: undefined,
    by: undefined,
    others: [],
  });
});

test('an id that the client presents is named as the reason', () => {
  const request: IdentifyingParts = {
    bytes: new Uint8Array(),
    transport: 'doh',
    path: tablet.id,
    client: ip('192.168.1.1'),
    local: ip('192.168.1.2'),
  };
  assert.equal(identifiedBy(request, noOptions, directory, settings), 'device id');
});
