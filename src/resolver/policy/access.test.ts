import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountWith, deviceWith, noOptions, profileWith } from '../../../test/support/resolver/directory.ts';
import { types } from '../../dns/numbers.ts';
import { defaultSettings } from '../../domain/default-settings.ts';
import type { ProfileSettings } from '../../domain/profile.ts';
import { wireName } from '../../kit/wire-name.ts';
import { addressBytes } from '../identity/address-key.ts';
import { createDirectory } from '../identity/directory.ts';
import { type IdentifyingParts, identify, identifySettings } from '../identity/identify.ts';
import { compileAccess } from './access.ts';
import { compileScanners, knownScanners } from './known-scanners.ts';

const secret = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const deps = { secret, scanners: compileScanners(knownScanners, secret) };
type Access = ProfileSettings['access'];

const access = (changes: Partial<Access>): Access => ({ ...defaultSettings().access, enabled: true, ...changes });
type Asking = { readonly client?: string; readonly asn?: number; readonly name?: string; readonly type?: number };
const may = (
  settings: Access,
  { client = '203.0.113.5', asn, name = 'example.org', type = types.A }: Asking,
): boolean => compileAccess(settings, deps)(addressBytes(client)!, asn, Uint8Array.of(9, ...wireName(name)!), 1, type);

const wide = { allowedClients: ['192.0.2.0/24', 'AS64500'], blockedClients: ['0.0.0.0/0', '::/0', 'AS64501'] };
const rows: readonly (readonly [what: string, settings: Partial<Access>, asking: Asking, may: boolean])[] = [
  ['no rule at all', {}, {}, true],
  ['a blocked address', { blockedClients: ['203.0.113.5'] }, {}, false],
  ['a blocked network', { blockedClients: ['203.0.113.0/24'] }, {}, false],
  ['another network', { blockedClients: ['203.0.112.0/24'] }, {}, true],
  ['a blocked network in IPv6 form', { blockedClients: ['::ffff:203.0.113.0/120'] }, {}, false],
  ['a blocked network of IPv6', { blockedClients: ['2001:db8::/32'] }, { client: '2001:db8::1' }, false],
  ['a blocked autonomous system', { blockedClients: ['AS64501'] }, { asn: 64501 }, false],
  ['another autonomous system', { blockedClients: ['AS64501'] }, { asn: 64502 }, true],
  ['an unknown autonomous system', { blockedClients: ['AS64501'] }, {}, true],
  ['everybody blocked', wide, {}, false],
  ['everybody blocked, by IPv6', wide, { client: '2001:db8::1' }, false],
  ['an allowed network among all blocked', wide, { client: '192.0.2.9' }, true],
  ['an allowed system among all blocked', wide, { asn: 64500 }, true],
  ['an allowed address in a blocked system', wide, { client: '192.0.2.9', asn: 64501 }, true],
  ['only an allow list', { allowedClients: ['192.0.2.0/24'] }, {}, true],
  ['a blocked name', { blockedDomainRules: ['||example.org^'] }, {}, false],
  [
    'a name below a blocked one, in capitals',
    { blockedDomainRules: ['||example.org^'] },
    { name: 'A.EXAMPLE.ORG' },
    false,
  ],
  ['another name', { blockedDomainRules: ['||example.org^'] }, { name: 'example.com' }, true],
  [
    'a blocked name, for an allowed client',
    { ...wide, blockedDomainRules: ['||example.org^'] },
    { client: '192.0.2.9' },
    false,
  ],
  ['an exception', { blockedDomainRules: ['||example.org^', '@@||ok.example.org^'] }, { name: 'ok.example.org' }, true],
  ['a rule for another type', { blockedDomainRules: ['||example.org^$dnstype=AAAA'] }, {}, true],
  ['a rule for this type', { blockedDomainRules: ['||example.org^$dnstype=A'] }, {}, false],
  ['a rule by expression', { blockedDomainRules: ['/^ex.*\\.org$/'] }, {}, false],
  ['a rule that is none', { blockedDomainRules: ['||', '! comment'] }, {}, true],
  ['a scanner where scanners may ask', {}, { client: '162.142.125.7' }, true],
  ['a scanner', { blockKnownScanners: true }, { client: '162.142.125.7' }, false],
  ['a scanner by IPv6', { blockKnownScanners: true }, { client: '2620:96:e000::7' }, false],
  [
    'a scanner that is let in',
    { blockKnownScanners: true, allowedClients: ['162.142.125.7'] },
    { client: '162.142.125.7' },
    true,
  ],
  ['the name of a probe', { blockKnownScanners: true }, { name: 'dnsscan.shadowserver.org' }, false],
  ['the name of a probe where probes may come', {}, { name: 'dnsscan.shadowserver.org' }, true],
  ['nobody special', { blockKnownScanners: true }, {}, true],
];
for (const [what, settings, asking, expected] of rows) {
  test(`${what}: ${expected ? 'is answered' : 'gets no answer'}`, () => {
    assert.equal(may(access(settings), asking), expected);
  });
}

// The same rules apply however the device is identified.
const profile = profileWith('aaaaaaaa', { access: access({ blockedClients: ['203.0.113.0/24'] }) });
const device = deviceWith('0000aaa1', profile.id, { linkedIp: '203.0.113.5' });
const dedicated = [{ ip: '198.51.100.1', device: device.id }];
const directory = createDirectory();
directory.replace(accountWith('anna', { profiles: [profile], devices: [device], dedicated }));
const settings = identifySettings({
  deviceDomain: 'd.example.org',
  deviceNetwork: '2001:db8::/96',
  dedicatedPool: [],
  unknownClients: 'refuse',
});
const ways: Readonly<Record<string, Partial<IdentifyingParts>>> = {
  'UDP from a linked address': { transport: 'udp' },
  'TCP from a linked address': { transport: 'tcp' },
  'UDP to a dedicated address': { transport: 'udp', local: addressBytes('198.51.100.1')! },
  "TCP to the device's own address": { transport: 'tcp', local: addressBytes('2001:db8::0:aaa1')! },
  TLS: { transport: 'dot', serverName: '0000aaa1.d.example.org' },
  'HTTPS with a path': { transport: 'doh', path: '0000aaa1' },
  'HTTPS with a login': { transport: 'doh', login: { user: '0000aaa1', password: device.dohPassword } },
};
for (const [way, asked] of Object.entries(ways)) {
  test(`by ${way} the rules of access are the same`, () => {
    const client = addressBytes('203.0.113.5')!;
    const query = {
      bytes: new Uint8Array(0),
      transport: 'udp',
      client,
      local: addressBytes('192.0.2.53')!,
      ...asked,
    } as const;
    const identity = identify(query, noOptions, directory, settings);
    assert.ok(identity.kind === 'device');
    assert.equal(
      compileAccess(identity.profile.settings.access, deps)(client, undefined, wireName('a')!, 0, types.A),
      false,
    );
  });
}

test('disabled access control admits every client', () => {
  const settings = access({
    ...wide,
    enabled: false,
    blockKnownScanners: true,
    blockedDomainRules: ['||example.org^'],
  });
  assert.equal(may(settings, {}), true);
});

test('an address in IPv6 form of IPv4 is the address', () => {
  const mapped = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 203, 0, 113, 5);
  const mayAsk = compileAccess(access({ blockedClients: ['203.0.113.0/24'] }), deps);
  assert.equal(mayAsk(mapped, undefined, wireName('example.org')!, 0, types.A), false);
});

test('all networks and names of the known scanners are understood', () => {
  const settings = access({ blockKnownScanners: true });
  for (const network of knownScanners.networks)
    assert.equal(may(settings, { client: network.split('/')[0]! }), false, network);
  for (const rule of knownScanners.rules) assert.equal(may(settings, { name: rule.slice(2, -1) }), false, rule);
});

test('the network operator of a client is looked up only where a rule needs it', () => {
  const asked: Uint8Array[] = [];
  const systemOf = (client: Uint8Array): number => {
    asked.push(client);
    return 64_501;
  };
  const mayAsk = (changes: Partial<Access>): boolean =>
    compileAccess(access(changes), { ...deps, systemOf })(
      addressBytes('203.0.113.5')!,
      undefined,
      wireName('example.org')!,
      0,
      types.A,
    );
  assert.equal(mayAsk({ blockedClients: ['192.0.2.0/24'] }), true);
  assert.equal(asked.length, 0);
  assert.equal(mayAsk({ blockedClients: ['AS64501'] }), false);
  assert.equal(mayAsk({ allowedClients: ['AS64501'], blockedClients: ['0.0.0.0/0'] }), true);
  assert.equal(asked.length, 2);
});
