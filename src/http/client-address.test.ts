import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, limitKey, parseTrusted } from './client-address.ts';

const nobody = parseTrusted([]);
const proxies = parseTrusted(['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48']);

test('without trusted proxies only the socket address is used', () => {
  for (const forwardedFor of [undefined, '', '1.2.3.4', '127.0.0.1, 10.0.0.1', ['1.2.3.4', '5.6.7.8']])
    assert.equal(clientAddress({ socketAddress: '198.51.100.1', forwardedFor, trusted: nobody }), '198.51.100.1');
});

test('a client that is not a trusted proxy cannot set its address', () => {
  const socketAddress = '192.0.2.8';
  assert.equal(clientAddress({ socketAddress, forwardedFor: '1.2.3.4', trusted: proxies }), socketAddress);
});

// X-Forwarded-For from a trusted proxy at 10.0.0.1, and the expected client.
const forwarded: readonly (readonly [forwardedFor: string | readonly string[] | undefined, client: string])[] = [
  ['203.0.113.5', '203.0.113.5'],
  // Entries sent by the client are further left.
  ['127.0.0.1, 203.0.113.5', '203.0.113.5'],
  ['1.1.1.1, 203.0.113.5, 10.2.3.4, 192.0.2.7', '203.0.113.5'],
  [['1.1.1.1', '203.0.113.5, 10.2.3.4', '192.0.2.7'], '203.0.113.5'],
  ['203.0.113.5,10.2.3.4', '203.0.113.5'],
  ['\t 203.0.113.5 \t', '203.0.113.5'],
  // All hops are trusted: use the first.
  ['10.9.9.9, 10.2.3.4', '10.9.9.9'],
  // An invalid entry stops at the last valid address.
  ['203.0.113.5, unknown', '10.0.0.1'],
  ['203.0.113.5, unknown, 10.2.3.4', '10.2.3.4'],
  ['203.0.113.5,, 10.2.3.4', '10.2.3.4'],
  ['203.0.113.5, 010.1.1.1', '10.0.0.1'],
  ['167772161', '10.0.0.1'],
  ['203.0.113.5.evil.example', '10.0.0.1'],
  [`203.0.113.5, ${'1'.repeat(10_000)}`, '10.0.0.1'],
  ['', '10.0.0.1'],
  [undefined, '10.0.0.1'],
  [[], '10.0.0.1'],
  // Some proxies add ports and write IPv6 in brackets.
  ['203.0.113.5:4711', '203.0.113.5'],
  ['[2001:db8::5]:4711', '2001:db8::5'],
  ['[2001:db8::5]', '2001:db8::5'],
  ['2001:DB8:0:0::5', '2001:db8::5'],
  ['203.0.113.5, 2001:db8:ffff::1', '203.0.113.5'],
  ['::ffff:203.0.113.5', '203.0.113.5'],
  ['203.0.113.5, ::ffff:10.2.3.4', '203.0.113.5'],
];

for (const [forwardedFor, client] of forwarded)
  test(`behind a trusted proxy, ${JSON.stringify(forwardedFor)?.slice(0, 80) ?? 'no header'} means ${client}`, () => {
    assert.equal(clientAddress({ socketAddress: '10.0.0.1', forwardedFor, trusted: proxies }), client);
  });

test('a proxy that connects by IPv4 over an IPv6 socket is the same proxy', () => {
  const from = (socketAddress: string) =>
    clientAddress({ socketAddress, forwardedFor: '203.0.113.5', trusted: proxies });
  assert.equal(from('::ffff:10.0.0.1'), '203.0.113.5');
  assert.equal(from('::ffff:198.51.100.1'), '198.51.100.1');
});

test('networks may be written as mapped ones too', () => {
  for (const network of ['::ffff:10.0.0.1', '::ffff:10.0.0.0/104']) {
    const trusted = parseTrusted([network]);
    assert.equal(clientAddress({ socketAddress: '10.0.0.1', forwardedFor: '203.0.113.5', trusted }), '203.0.113.5');
    assert.equal(clientAddress({ socketAddress: '11.0.0.1', forwardedFor: '203.0.113.5', trusted }), '11.0.0.1');
  }
});

test('a socket without an IP address keeps its text', () => {
  assert.equal(clientAddress({ socketAddress: '', forwardedFor: '203.0.113.5', trusted: proxies }), '');
});

test('an invalid network is rejected by name', () => {
  for (const network of [
    '',
    'proxy.example',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::1/129',
    '*',
    '10.0.0.0/-1',
  ])
    assert.throws(() => parseTrusted(['10.0.0.1', network]), {
      message: `not an IP address or network: ${network}`,
    });
});

test('limits are per IPv4 address and per IPv6 /64', () => {
  assert.equal(limitKey('203.0.113.5'), '203.0.113.5');
  assert.equal(limitKey('::ffff:203.0.113.5'), '203.0.113.5');
  assert.equal(limitKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  assert.equal(limitKey('2001:db8:1:2:ffff::'), '2001:db8:1:2::/64');
  assert.equal(limitKey('2001:db8:1:3::'), '2001:db8:1:3::/64');
  assert.equal(limitKey('::1'), '::/64');
  assert.equal(limitKey('fe80::1%eth0'), 'fe80::/64');
  assert.equal(limitKey('not an address'), 'not an address');
});
