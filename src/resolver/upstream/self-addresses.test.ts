import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfAddresses } from './self-addresses.ts';

const interfaces = () => ['127.0.0.1', '192.168.1.2', 'fd00::2', '::1'];
const own = (listening: string, target: string, port = 53) =>
  selfAddresses([{ address: listening, port: 53 }], interfaces)(target, port);

test('an address is ours if we listen there, in any spelling, on that port', () => {
  assert.equal(own('127.0.0.1', '127.0.0.1'), true);
  assert.equal(own('127.0.0.1', '::ffff:127.0.0.1'), true);
  assert.equal(own('fd00::2', 'fd00:0:0::2'), true);
  assert.equal(own('127.0.0.1', '127.0.0.1', 5353), false);
  assert.equal(own('127.0.0.1', '127.0.0.53'), false);
  assert.equal(own('192.168.1.2', '192.168.1.1'), false);
});

test('a listener on the unspecified address listens at each address of the machine', () => {
  assert.equal(own('0.0.0.0', '192.168.1.2'), true);
  assert.equal(own('0.0.0.0', '127.0.0.53'), true);
  assert.equal(own('0.0.0.0', '192.168.1.1'), false);
  assert.equal(own('0.0.0.0', 'fd00::2'), false);
  assert.equal(own('::', 'fd00::2'), true);
  assert.equal(own('::', '192.168.1.2'), true);
  assert.equal(own('::', '1.1.1.1'), false);
});

test('the unspecified address means this machine', () => {
  assert.equal(own('127.0.0.1', '0.0.0.0'), true);
  assert.equal(own('0.0.0.0', '0.0.0.0'), true);
  assert.equal(own('::', '::'), true);
});

test('the addresses of this machine are known', () => {
  assert.equal(selfAddresses([{ address: '0.0.0.0', port: 53 }])('127.0.0.1', 53), true);
});
