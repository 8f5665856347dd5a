import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { plistValue, readXml } from '../../test/support/domain/xml.ts';
import { anyText } from '../../test/support/kit/any-text.ts';
import type { DeviceId } from './ids.ts';
import { type MobileConfig, mobileConfig } from './mobileconfig.ts';
import { plistXml } from './plist.ts';

const hash = (text: string): Uint8Array => createHash('sha256').update(text).digest();

const wanted: MobileConfig = {
  device: { id: '1a2b3c4d' as DeviceId, name: "Ann's <phone> & more" },
  protocol: 'DOH',
  hosts: {
    dohHost: 'd.dns.example',
    dotDomain: 'd.dns.example:853',
    deviceDomain: 'd.dns.example',
    serverName: 'My DNS',
  },
  exclude: { wifiNetworks: [], domains: [] },
};

type Profile = { readonly [key: string]: unknown; readonly PayloadContent: readonly Record<string, unknown>[] };

function profileOf(change: Partial<MobileConfig> = {}): Profile {
  const result = mobileConfig({ ...wanted, ...change }, hash);
  assert.ok(result.ok, JSON.stringify(result));
  return plistValue(readXml(result.value)) as Profile;
}

const settingsOf = (profile: Profile): Record<string, unknown> => profile.PayloadContent[0]!;

test('a profile is a configuration with one payload of DNS settings', () => {
  const profile = profileOf();
  assert.equal(profile['PayloadType'], 'Configuration');
  assert.equal(profile['PayloadDisplayName'], "My DNS: Ann's <phone> & more");
  assert.equal(profile['PayloadIdentifier'], 'example.dns.d.1a2b3c4d.doh');
  assert.equal(profile.PayloadContent.length, 1);
  assert.equal(settingsOf(profile)['PayloadType'], 'com.apple.dnsSettings.managed');
});

test('DNS over HTTPS goes to an address, DNS over TLS to a name', () => {
  assert.deepEqual(settingsOf(profileOf())['DNSSettings'], {
    DNSProtocol: 'HTTPS',
    ServerURL: 'https://d.dns.example/dns-query/1a2b3c4d',
  });
  const hosts = { ...wanted.hosts, serverAddresses: ['192.0.2.53', '2001:db8::53'] };
  assert.deepEqual(settingsOf(profileOf({ protocol: 'DOT', hosts }))['DNSSettings'], {
    DNSProtocol: 'TLS',
    ServerName: '1a2b3c4d.d.dns.example',
    ServerAddresses: ['192.0.2.53', '2001:db8::53'],
  });
});

test('excluded networks switch it off, excluded names go past it, and the last rule is to connect', () => {
  assert.deepEqual(settingsOf(profileOf())['OnDemandRules'], [{ Action: 'Connect' }]);
  const exclude = { wifiNetworks: ['Caf\u00e9 <free>'], domains: ['*.Corp.example.', 'b\u00fccher.example'] };
  assert.deepEqual(settingsOf(profileOf({ exclude }))['OnDemandRules'], [
    { Action: 'Disconnect', InterfaceTypeMatch: 'WiFi', SSIDMatch: ['Caf\u00e9 <free>'] },
    {
      Action: 'EvaluateConnection',
      ActionParameters: [{ DomainAction: 'NeverConnect', Domains: ['corp.example', 'b\u00fccher.example'] }],
    },
    { Action: 'Connect' },
  ]);
});

test('the identifiers are the same for the same device, and differ between devices, protocols and payloads', () => {
  const ids = (profile: Profile) => [profile['PayloadUUID'], settingsOf(profile)['PayloadUUID']];
  const other = { device: { ...wanted.device, id: 'ffffffff' as DeviceId } };
  assert.deepEqual(ids(profileOf()), ids(profileOf()));
  const all = [profileOf(), profileOf({ protocol: 'DOT' }), profileOf(other)].flatMap(ids);
  assert.equal(new Set(all).size, 6);
  for (const id of all)
    assert.match(String(id), /^[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/);
});

test('invalid networks and names are rejected, each with its position', () => {
  const exclude = {
    wifiNetworks: ['ok', '', 'a'.repeat(33), 'a\nb', '\ud800'],
    domains: ['ok.example', 'no space', 'a..b', '-a.b', '<x>.example', ''],
  };
  const result = mobileConfig({ ...wanted, exclude }, hash);
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.deepEqual(
    result.error.errors.map(({ field }) => field),
    [1, 2, 3, 4]
      .map((index) => `exclude_wifi_networks[${index}]`)
      .concat([1, 2, 3, 4, 5].map((index) => `exclude_domain[${index}]`)),
  );
});

test('there is an end to how many may be excluded', () => {
  const exclude = { wifiNetworks: Array.from({ length: 101 }, (_, index) => `n${index}`), domains: [] };
  const result = mobileConfig({ ...wanted, exclude }, hash);
  assert.ok(!result.ok && result.error.kind === 'invalid');
  assert.equal(result.error.errors[0]?.kind, 'limit reached');
});

const hostileText = fc.oneof(
  anyText(),
  fc.string({ unit: fc.constantFrom(...Array.from('<>&"\']]>\0\x01\ufffe\ud800a')) }),
);

test('any text produces a well-formed file with every character that XML can hold', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, serverName) => {
      const profile = profileOf({ device: { ...wanted.device, name }, hosts: { ...wanted.hosts, serverName } });
      const kept = `${serverName}: ${name}`
        .toWellFormed()
        .replaceAll(/[^\t\n\r\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
      assert.equal(profile['PayloadDisplayName'], kept);
    }),
  );
});

test('a property list of any keys and values reads back', () => {
  const text = fc.string({ unit: 'grapheme' });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.boolean(),
      fc.integer(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const xml = plistXml(value as string);
      const clean = JSON.parse(JSON.stringify(value)) as unknown;
      assert.deepEqual(plistValue(readXml(xml)), clean);
    }),
  );
});

test('the reader of these tests refuses what is not well-formed', () => {
  for (const bad of ['<a>', '<a></b>', '<a>&</a>', '<a>&x;</a>', '<a><</a>', '<a/><b/>', '<a>\0</a>', 'x<a/>'])
    assert.throws(() => readXml(bad), Error, bad);
});

test('without a host that devices reach there is no profile', () => {
  const notOffered = (protocol: MobileConfig['protocol'], hosts: Partial<MobileConfig['hosts']>): void =>
    assert.deepEqual(mobileConfig({ ...wanted, protocol, hosts: { ...wanted.hosts, ...hosts } }, hash), {
      ok: false,
      error: { kind: 'not offered', protocol },
    });
  notOffered('DOH', { dohHost: undefined });
  notOffered('DOT', { dotDomain: undefined });
  // Profiles cannot contain a port of DNS over TLS.
  notOffered('DOT', { dotDomain: 'd.dns.example:8853' });
});
