import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHostMac } from './host-mac.ts';

test('addresses of groups and empty addresses are not those of a host', () => {
  assert.equal(parseHostMac('B8:27:EB:00:00:01'), 'b8:27:eb:00:00:01');
  for (const text of ['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff', '01:00:5e:00:00:fb', 'b8:27:eb', ''])
    assert.equal(parseHostMac(text), undefined, text);
});
