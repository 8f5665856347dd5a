import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLeases } from './leases.ts';

const now = Date.parse('2026-11-17T12:00:00Z');
const seconds = (text: string): number => Date.parse(text) / 1000;
const later = seconds('2026-11-17T20:00:00Z');
const earlier = seconds('2026-11-17T08:00:00Z');

test('dnsmasq: address, MAC address and name of leases that have not expired', () => {
  const file = `${later} b8:27:eb:01:02:03 192.168.1.20 raspberry 01:b8:27:eb:01:02:03
${earlier} b8:27:eb:01:02:04 192.168.1.21 expired *
0 b8:27:eb:01:02:05 192.168.1.22 * *
${later} 06-b8:27:eb:01:02:06 192.168.1.23 <script> *
duid 00:01:00:01:2c:aa:bb:cc:b8:27:eb:01:02:03
${later} 123456 fd00::20 raspberry 00:01:00:01:2c:aa:bb:cc:b8:27:eb:01:02:03
`;
  assert.deepEqual(parseLeases(file, now), [
    { address: '192.168.1.20', mac: 'b8:27:eb:01:02:03', name: 'raspberry' },
    { address: '192.168.1.22', mac: 'b8:27:eb:01:02:05', name: undefined },
    { address: '192.168.1.23', mac: 'b8:27:eb:01:02:06', name: undefined },
    { address: 'fd00::20', mac: undefined, name: 'raspberry' },
  ]);
});

test('ISC dhcpd: the last entry of an address, if it is active', () => {
  const file = `# The format of this file is documented in the dhcpd.leases(5) manual page.
authoring-byte-order little-endian;

lease 192.168.1.30 {
  starts 2 2026/11/17 06:00:00;
  ends 2 2026/11/17 20:00:00;
  binding state active;
  next binding state free;
  hardware ethernet b8:27:eb:01:02:03;
  client-hostname "old-name";
}
lease 192.168.1.31 {
  ends never;
  binding state active;
  hardware ethernet b8:27:eb:01:02:04;
}
lease 192.168.1.30 {
  starts 2 2026/11/17 10:00:00;
  ends epoch ${later}; # Tue Nov 17
  binding state active;
  hardware ethernet b8:27:eb:01:02:03;
  uid "\\001\\270";
  client-hostname "laptop";
}
lease 192.168.1.32 {
  ends 2 2026/11/17 08:00:00;
  binding state active;
  hardware ethernet b8:27:eb:01:02:05;
}
lease 192.168.1.33 {
  ends 2 2026/11/17 20:00:00;
  binding state active;
  hardware ethernet b8:27:eb:01:02:06;
}
lease 192.168.1.33 {
  ends 2 2026/11/17 11:00:00;
  binding state free;
  hardware ethernet b8:27:eb:01:02:06;
}
`;
  assert.deepEqual(parseLeases(file, now), [
    { address: '192.168.1.30', mac: 'b8:27:eb:01:02:03', name: 'laptop' },
    { address: '192.168.1.31', mac: 'b8:27:eb:01:02:04', name: undefined },
  ]);
});

test('Kea: the last row of an address, if it is active', () => {
  const file = `address,hwaddr,client_id,valid_lifetime,expire,subnet_id,fqdn_fwd,fqdn_rev,hostname,state,user_context,pool_id
192.168.1.40,b8:27:eb:01:02:03,01:b8,3600,${earlier},1,0,0,tv,0,,0
192.168.1.40,b8:27:eb:01:02:03,01:b8,3600,${later},1,0,0,tv.lan.,0,{ "a": 1&#x2c "b": 2 },0
192.168.1.41,b8:27:eb:01:02:04,,3600,${later},1,0,0,declined,1,,0
192.168.1.42,b8:27:eb:01:02:05,,3600,${earlier},1,0,0,expired,0,,0
`;
  assert.deepEqual(parseLeases(file, now), [{ address: '192.168.1.40', mac: 'b8:27:eb:01:02:03', name: 'tv.lan' }]);
  const six = `address,duid,valid_lifetime,expire,subnet_id,pref_lifetime,lease_type,iaid,prefix_len,fqdn_fwd,fqdn_rev,hostname,hwaddr,state
fd00::41,00:01:02,3600,${later},1,3000,0,7,128,0,0,tv,b8:27:eb:01:02:03,0
`;
  assert.deepEqual(parseLeases(six, now), [{ address: 'fd00::41', mac: undefined, name: 'tv' }]);
});

test('a file in another format has no leases', () => {
  assert.deepEqual(parseLeases('', now), []);
  assert.deepEqual(parseLeases('# nothing yet\n', now), []);
  assert.deepEqual(parseLeases('\u0000\u0001{"leases": []}', now), []);
});
