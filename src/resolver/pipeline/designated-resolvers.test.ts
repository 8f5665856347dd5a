import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from '../../dns/numbers.ts';
import { recordText } from '../../dns/record-text.ts';
import type { DeviceId } from '../../domain/ids.ts';
import { designatedResolvers } from './designated-resolvers.ts';

const settings = {
  dohHost: 'dns.example.org:8443',
  deviceDomain: 'd.example.org',
  dohPort: 8443,
  dotPort: 853,
  addresses: ['192.0.2.53', '192.0.2.54', '2001:db8::53'],
};
const told = (given: Partial<typeof settings> | object, device?: string): string[] =>
  designatedResolvers({ ...settings, ...given })(device as DeviceId | undefined).map((data) =>
    recordText(types.SVCB, data),
  );

test('a device is sent to its own name, first by HTTPS and then by TLS', () => {
  assert.deepEqual(told({}, 'b3e82cd1'), [
    '1 b3e82cd1.d.example.org. alpn=h2 port=8443 ipv4hint=192.0.2.53,192.0.2.54 ipv6hint=2001:db8::53 dohpath=/dns-query{?dns}',
    '2 b3e82cd1.d.example.org. alpn=dot port=853 ipv4hint=192.0.2.53,192.0.2.54 ipv6hint=2001:db8::53',
  ]);
});

test('a client without a device gets the shared names', () => {
  assert.deepEqual(told({ addresses: [] }), [
    '1 dns.example.org. alpn=h2 port=8443 dohpath=/dns-query{?dns}',
    '2 d.example.org. alpn=dot port=853',
  ]);
});

test('a transport that is not offered is not announced', () => {
  assert.deepEqual(told({ addresses: [], dohPort: undefined }), ['1 d.example.org. alpn=dot port=853']);
  assert.deepEqual(told({ dohPort: undefined, dotPort: undefined }), []);
});

test('a name under which other machines do not reach this one is not announced', () => {
  const local = { dohHost: 'localhost', deviceDomain: 'localhost' };
  assert.deepEqual(told(local), []);
  assert.deepEqual(told(local, 'b3e82cd1'), []);
});
