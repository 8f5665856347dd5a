import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOf, type PublicEndpoints, publicEndpoints } from './endpoint-policy.ts';

/** Whether an address without a name is allowed at port 443. */
function addresses(open: Partial<PublicEndpoints> = {}): (address: string) => boolean {
  const isAllowed = publicEndpoints({ ports: [443], ...open });
  return (address) => isAllowed({ host: address, address, port: 443 });
}

test('addresses of the public Internet are allowed', () => {
  const isAllowed = addresses();
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

test('non-public IPv4 addresses are rejected', () => {
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
  assert.deepEqual(refused.filter(addresses()), []);
});

test('non-public IPv6 addresses are rejected', () => {
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
  assert.deepEqual(refused.filter(addresses()), []);
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
  assert.deepEqual(refused.filter(addresses()), []);
});

test('the address of the Azure machine agent is refused although it looks public', () => {
  assert.equal(addresses()('168.63.129.16'), false);
});

test('text that is not an IP address is rejected', () => {
  assert.deepEqual(['', 'localhost', 'example.org', '1.2.3.4.5', '[::1]'].filter(addresses()), []);
});

test('only the listed ports are allowed, and port 0 never', () => {
  const isAllowed = publicEndpoints({ ports: [0, 80, 8443], allowHosts: ['lists.lan'], allowNetworks: ['10.0.0.0/8'] });
  const ports = [0, 22, 25, 80, 443, 8443, 65_535];
  const askedAt = (host: string, address: string) => ports.filter((port) => isAllowed({ host, address, port }));
  assert.deepEqual(askedAt('example.org', '8.8.8.8'), [80, 8443]);
  assert.deepEqual(askedAt('lists.lan', '192.168.1.1'), ports.slice(1));
  assert.deepEqual(askedAt('10.0.0.1', '10.0.0.1'), ports.slice(1));
});

test('an operator may allow a private network', () => {
  const isAllowed = addresses({ allowNetworks: ['10.1.0.0/16', 'fd00::/8', '127.0.0.1'] });
  assert.deepEqual(['10.1.2.3', '10.2.0.1', 'fd00::1', '127.0.0.1', '127.0.0.2', '8.8.8.8'].filter(isAllowed), [
    '10.1.2.3',
    'fd00::1',
    '127.0.0.1',
    '8.8.8.8',
  ]);
});

test('an operator may allow a host name, in any spelling and with any address', () => {
  const allowHosts = ['Lists.LAN.', 'bücher.example', '10.0.0.1', '[FD00:0::1]'];
  const isAllowed = publicEndpoints({ ports: [443], allowHosts });
  const allows = (url: string, address: string) => isAllowed({ host: hostOf(new URL(url)), address, port: 8080 });
  assert.ok(allows('http://lists.lan./', '127.0.0.1'));
  assert.ok(allows('http://xn--bcher-kva.example/', 'fd00::2'));
  assert.ok(allows('http://0x0a000001/', '10.0.0.1'));
  assert.ok(allows('http://[fd00::1]/', 'fd00::1'));
  for (const url of ['http://other.lists.lan/', 'http://lan/', 'http://lists.lan.evil.example/']) {
    assert.equal(allows(url, '127.0.0.1'), false, url);
  }
});

test('an address that the system maps to another one is never allowed', () => {
  const everything = { allowNetworks: ['0.0.0.0/0', '::/0'], allowHosts: ['lists.lan'] };
  assert.deepEqual(['::ffff:10.0.0.1', '::ffff:8.8.8.8', '0.0.0.0', '::'].filter(addresses(everything)), []);
  assert.equal(publicEndpoints({ ports: [443], ...everything })({ host: 'lists.lan', address: '::', port: 1 }), false);
});

test('connections to the program itself are never allowed', () => {
  const isOwn: PublicEndpoints['isOwn'] = ({ address, port }) =>
    ['fd00::1', '8.8.8.8'].includes(address) && port === 443;
  const isAllowed = publicEndpoints({ ports: [443], allowNetworks: ['fd00::/8'], allowHosts: ['me.lan'], isOwn });
  assert.equal(isAllowed({ host: 'me.lan', address: '8.8.8.8', port: 443 }), false);
  assert.equal(isAllowed({ host: 'dns.example', address: 'FD00:0:0::1', port: 443 }), false);
  assert.equal(isAllowed({ host: 'dns.example', address: 'fd00::1%eth0', port: 443 }), false);
  assert.equal(isAllowed({ host: 'dns.example', address: 'fd00::1', port: 8443 }), true);
});

test('an invalid entry is named when the policy is created', () => {
  assert.throws(
    () => publicEndpoints({ ports: [], allowNetworks: ['10.0.0.0/33'] }),
    /not an IP address or network: 10\.0\.0\.0\/33/,
  );
  for (const host of ['', 'http://lists.lan/', 'lists.lan:8080', 'a b', 'user@lists.lan', 'lists.lan/a', '1.2.3.4.5']) {
    assert.throws(() => publicEndpoints({ ports: [], allowHosts: [host] }), {
      message: `not the name of a host: ${host}`,
    });
  }
});
