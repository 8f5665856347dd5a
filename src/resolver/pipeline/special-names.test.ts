import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from '../../dns/numbers.ts';
import { defaultSettings } from '../../domain/default-settings.ts';
import { wireName } from '../../kit/wire-name.ts';
import { specialAnswer, specialName } from './special-names.ts';

const kindOf = (text: string): string | undefined => {
  const wire = wireName(text)!;
  return specialName(Uint8Array.of(1, 2, 3, ...wire, 0, 1), 3, 3 + wire.length);
};

const names: readonly (readonly [name: string, special: string | undefined])[] = [
  ['mask.icloud.com', 'private relay'],
  ['MASK-H2.iCloud.com', 'private relay'],
  ['mask-canary.icloud.com', 'private relay'],
  ['x.mask.icloud.com', undefined],
  ['icloud.com', undefined],
  ['dns-tunnel-check.googlezip.net', 'chrome prefetch'],
  ['use-application-dns.net', 'firefox canary'],
  ['www.use-application-dns.net', undefined],
  ['_dns.resolver.arpa', 'designated resolvers'],
  ['_DNS.Resolver.ARPA', 'designated resolvers'],
  ['resolver.arpa', 'resolver zone'],
  ['x.y.resolver.arpa', 'resolver zone'],
  ['_dns.resolver.arpa.example', undefined],
  ['xresolver.arpa', undefined],
  ['x\\008resolver.arpa', undefined],
  ['localhost', 'localhost'],
  ['app.LocalHost', 'localhost'],
  ['mylocalhost', undefined],
  ['localhost.example', undefined],
  ['example.org', undefined],
  ['.', undefined],
];
for (const [name, special] of names) {
  test(`${name} is ${special ? `special: ${special}` : 'a name like any other'}`, () => {
    assert.equal(kindOf(name), special);
  });
}

const off = { blockPrivateRelay: false, blockChromePrefetch: false, blockFirefoxCanary: false };
const on = { blockPrivateRelay: true, blockChromePrefetch: true, blockFirefoxCanary: true };

test('a switch that is off leaves its names alone', () => {
  for (const name of ['private relay', 'chrome prefetch', 'firefox canary'] as const)
    assert.deepEqual(specialAnswer(name, types.A, off), { kind: 'none' });
});

test('Private Relay learns for every type that its names do not exist', () => {
  for (const type of [types.A, types.AAAA, types.HTTPS, types.TXT])
    assert.deepEqual(specialAnswer('private relay', type, on), { kind: 'code', code: 3 });
});

test('the canaries of Chrome and Firefox are about addresses alone', () => {
  const asked = [types.A, types.AAAA, types.HTTPS];
  const codes = (name: 'chrome prefetch' | 'firefox canary') => asked.map((type) => specialAnswer(name, type, on));
  const [nxdomain, refused, none] = [{ kind: 'code', code: 3 }, { kind: 'code', code: 5 }, { kind: 'none' }];
  assert.deepEqual(codes('chrome prefetch'), [nxdomain, nxdomain, none]);
  assert.deepEqual(codes('firefox canary'), [refused, refused, none]);
});

test('the zone of the resolver is answered here, and only its one name has data', () => {
  assert.deepEqual(specialAnswer('designated resolvers', types.SVCB, off), { kind: 'designated resolvers' });
  assert.deepEqual(specialAnswer('designated resolvers', types.A, off), { kind: 'no data' });
  assert.deepEqual(specialAnswer('resolver zone', types.SVCB, off), { kind: 'no data' });
});

test('localhost is this machine', () => {
  assert.deepEqual(specialAnswer('localhost', types.A, off), { kind: 'address', data: Uint8Array.of(127, 0, 0, 1) });
  const v6 = specialAnswer('localhost', types.AAAA, off);
  assert.ok(v6.kind === 'address');
  assert.equal(Buffer.from(v6.data).toString('hex'), '00000000000000000000000000000001');
  assert.deepEqual(specialAnswer('localhost', types.MX, off), { kind: 'no data' });
});

test('a profile is enough of a setting', () => {
  assert.deepEqual(specialAnswer('firefox canary', types.A, defaultSettings()), { kind: 'code', code: 5 });
});
