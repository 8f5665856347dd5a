import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicAddresses } from './address-policy.ts';

test('addresses of the public Internet are allowed', () => {
  const isAllowed = publicAddresses();
  const allowed = [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ];
  assert.deepEqual(allowed.filter(isAllowed), allowed);
});

test('IPv4 addresses that are not of the public Internet are refused', () => {
  const refused = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.254',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
  ];
  assert.deepEqual(refused.filter(publicAddresses()), []);
});

test('IPv6 addresses that are not of the public Internet are refused', () => {
  const refused = [
    '::',
    '::1',
    '100::1',
    '2001:2::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '8000::1',
  ];
  assert.deepEqual(refused.filter(publicAddresses()), []);
});

test('an IPv4 address inside an IPv6 address is refused, public or not', () => {
  const refused = [
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::a00:1',
    '2001::1',
    '2002:7f00:1::1',
    '2002:c0a8:1::1',
  ];
  assert.deepEqual(refused.filter(publicAddresses()), []);
});

test('the address of the Azure machine agent is refused although it looks public', () => {
  assert.equal(publicAddresses()('168.63.129.16'), false);
});

test('what is not an IP address is refused', () => {
  assert.deepEqual(['', 'localhost', 'example.org', '1.2.3.4.5', '[::1]'].filter(publicAddresses()), []);
});

test('an operator may open a private network', () => {
  const isAllowed = publicAddresses({ allow: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1'] });
  assert.deepEqual(['10.1.2.3', '10.2.0.1', 'fd00::1', '127.0.0.1', '127.0.0.2', '8.8.8.8'].filter(isAllowed), [
    '10.1.2.3',
    'fd00::1',
    '127.0.0.1',
    '8.8.8.8',
  ]);
});

test('an operator may close a public network, also inside one that was opened', () => {
  const isAllowed = publicAddresses({ allow: ['10.0.0.0/8'], deny: ['8.8.8.0/24', '10.0.0.5', '2606:4700::/32'] });
  assert.deepEqual(['8.8.8.8', '8.8.4.4', '10.0.0.4', '10.0.0.5', '2606:4700::1111'].filter(isAllowed), [
    '8.8.4.4',
    '10.0.0.4',
  ]);
});

test('opening all of IPv6 opens no IPv4 address by the back door', () => {
  assert.equal(publicAddresses({ allow: ['::/0'] })('::ffff:10.0.0.1'), false);
});

test('a network that cannot be understood is named when the policy is made', () => {
  assert.throws(() => publicAddresses({ allow: ['10.0.0.0/33'] }), /not an IP address or network: 10\.0\.0\.0\/33/);
});
