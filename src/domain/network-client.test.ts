import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostNameOf, isPrivateMac } from './network-client.ts';

test('the name of the most reliable source is shown', () => {
  assert.deepEqual(hostNameOf({ mdns: ['a.local'], ptr: ['b.lan', 'c.lan'] }), { name: 'b.lan', source: 'ptr' });
  assert.deepEqual(hostNameOf({ lease: [], mdns: ['a.local'] }), { name: 'a.local', source: 'mdns' });
  assert.equal(hostNameOf({}), undefined);
});

test('locally administered MAC addresses are private', () => {
  assert.equal(isPrivateMac('02:00:00:00:00:01'), true);
  assert.equal(isPrivateMac('da:a1:19:00:00:01'), true);
  assert.equal(isPrivateMac('b8:27:eb:00:00:01'), false);
});
