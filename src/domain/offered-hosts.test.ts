import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EncryptedListeners, isLocalName, offeredHosts } from './offered-hosts.ts';

const everywhere = (dohPort: number, dotPort: number): EncryptedListeners => ({
  doh: { host: '::', port: dohPort },
  dot: { host: '::', port: dotPort },
});

const cases: readonly [
  what: string,
  settings: Parameters<typeof offeredHosts>[0],
  listeners: EncryptedListeners,
  dohHost: string | undefined,
  dotDomain: string | undefined,
][] = [
  [
    'no host name is configured',
    { dnsHost: 'localhost', deviceDomain: undefined },
    everywhere(443, 853),
    undefined,
    undefined,
  ],
  [
    'the standard ports',
    { dnsHost: 'dns.example', deviceDomain: 'd.example' },
    everywhere(443, 853),
    'dns.example',
    'd.example',
  ],
  [
    'other ports',
    { dnsHost: 'dns.example', deviceDomain: undefined },
    everywhere(8443, 8853),
    'dns.example:8443',
    'dns.example:8853',
  ],
  [
    'a configured port',
    { dnsHost: 'dns.example:444', deviceDomain: undefined },
    everywhere(8443, 853),
    'dns.example:444',
    'dns.example',
  ],
  [
    'a proxy of the same machine',
    { dnsHost: 'dns.example', deviceDomain: undefined },
    { doh: { host: '127.0.0.1', port: 8443 } },
    'dns.example',
    undefined,
  ],
  ['listeners that are off', { dnsHost: 'dns.example', deviceDomain: 'd.example' }, {}, undefined, undefined],
  [
    'DNS in another process',
    { dnsHost: 'dns.example', deviceDomain: 'd.example' },
    'elsewhere',
    'dns.example',
    'd.example',
  ],
  [
    'only device names',
    { dnsHost: 'localhost', deviceDomain: 'd.example' },
    everywhere(443, 853),
    undefined,
    'd.example',
  ],
];

for (const [what, settings, listeners, dohHost, dotDomain] of cases)
  test(`hosts for devices: ${what}`, () => {
    assert.deepEqual(offeredHosts(settings, listeners, false), { dohHost, dotDomain });
  });

test('hosts with a self-signed certificate are offered only behind a proxy of the same machine', () => {
  const settings = { dnsHost: 'dns.example', deviceDomain: undefined };
  assert.deepEqual(offeredHosts(settings, everywhere(443, 853), true), { dohHost: undefined, dotDomain: undefined });
  const mixed = { doh: { host: '127.0.0.1', port: 8443 }, dot: { host: '0.0.0.0', port: 853 } };
  assert.deepEqual(offeredHosts(settings, mixed, true), { dohHost: 'dns.example', dotDomain: undefined });
  assert.deepEqual(offeredHosts(settings, 'elsewhere', true), { dohHost: 'dns.example', dotDomain: 'dns.example' });
});

test('local names lead to the machine that asks', () => {
  for (const name of ['localhost', 'Localhost.', 'x.localhost', 'localhost:8443', '127.0.0.1'])
    assert.ok(isLocalName(name), name);
  for (const name of ['dns.example', 'localhost.example', '127.example', 'notlocalhost'])
    assert.ok(!isLocalName(name), name);
});
