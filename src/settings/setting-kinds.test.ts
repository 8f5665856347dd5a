import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSetting } from './read-setting.ts';
import {
  addresses,
  choice,
  clientRedirects,
  count,
  file,
  folder,
  host,
  hostNames,
  ipv4Addresses,
  KIB,
  type Kind,
  listen,
  listenOrOff,
  MIB,
  network96,
  networks,
  ports,
  seconds,
  size,
  text,
  url,
} from './setting-kinds.ts';

/** The value of each text, or the words that refuse it. */
function parsed(kind: Kind, texts: readonly string[]): readonly unknown[] {
  return texts.map((text) => {
    const result = readSetting(kind, text, '/home/me');
    return result.ok ? result.value : result.error;
  });
}

test('a listen address is an address or a host name, and a port', () => {
  assert.deepEqual(parsed(listen(), ['127.0.0.1:8080', '[::1]:80', '[fe80::1%eth0]:1', 'localhost:0', 'a.b-c:65535']), [
    { host: '127.0.0.1', port: 8080 },
    { host: '::1', port: 80 },
    { host: 'fe80::1%eth0', port: 1 },
    { host: 'localhost', port: 0 },
    { host: 'a.b-c', port: 65_535 },
  ]);
});

test('a port alone, after its colon, listens at every address', () => {
  assert.deepEqual(parsed(listen(), [':8080', ':0']), [
    { host: '::', port: 8080 },
    { host: '::', port: 0 },
  ]);
});

test('an invalid listen address gets an error with an example', () => {
  const bad = ['', 'x', '8080', ':', '127.0.0.1', '127.0.0.1:', '127.0.0.1:65536', '127.0.0.1:-1', '127.0.0.1:http'];
  const worse = ['::1:80', '[::1]', '[127.0.0.1]:80', '[]:80', '999.0.0.1:80', '1.2.3:80', 'a b:80', 'http://a:80'];
  for (const words of parsed(listen(), [...bad, ...worse, 'off', '127.0.0.1:80 ', '*:80']))
    assert.equal(words, 'is not an ADDRESS:PORT such as 127.0.0.1:8080');
});

test('where off is allowed it is a value, and named among what was expected', () => {
  assert.deepEqual(parsed(listenOrOff(), ['off', ':1', 'no']), [
    'off',
    { host: '::', port: 1 },
    'is not an ADDRESS:PORT such as 127.0.0.1:8080, nor off',
  ]);
});

test('a size is bytes, or has a unit that is a power of 1024', () => {
  assert.deepEqual(
    parsed(size(0), ['0', '1000', '7B', '512k', '512K', '1KiB', '10M', '10MiB', '10 MiB', '1G', '1GiB']),
    [0, 1000, 7, 512 * KIB, 512 * KIB, KIB, 10 * MIB, 10 * MIB, 10 * MIB, 1024 * MIB, 1024 * MIB],
  );
});

test('sizes that mean two things, or nothing, are refused', () => {
  for (const words of parsed(size(0), [
    '',
    'lots',
    '10MB',
    '-1',
    '1.5GiB',
    '1e6',
    '0x10',
    '10MiBs',
    'constructor',
    'k',
  ]))
    assert.equal(words, 'is not a size such as 10MiB, 512k, 1GiB or a number of bytes');
});

test('a size out of bounds gets an error with the bound and its unit', () => {
  assert.deepEqual(parsed(size(32 * MIB), ['32MiB', '33554431', '1025GiB', '9'.repeat(400)]), [
    32 * MIB,
    'is less than 32MiB',
    'is more than 1024GiB',
    'is more than 1024GiB',
  ]);
  assert.deepEqual(parsed(size(KIB), ['1023']), ['is less than 1KiB']);
  assert.deepEqual(parsed(size(1000), ['999']), ['is less than 1000']);
});

test('a time is seconds, or has a unit', () => {
  assert.deepEqual(parsed(seconds(1, 7200), ['90', '90s', '5m', '1h', '0', '3h', '1d', '5 minutes', 'soon']), [
    90,
    90,
    300,
    3600,
    'is less than 1s',
    'is more than 7200s',
    ...Array<string>(3).fill('is not a time such as 90s, 5m or 1h'),
  ]);
});

test('a count is a whole number within its bounds, both included', () => {
  assert.deepEqual(parsed(count(1, 10), ['1', '10', '0', '11', '1.5', '-1', 'ten', '', '5k']), [
    1,
    10,
    'is less than 1',
    'is more than 10',
    ...Array<string>(5).fill('is not a whole number'),
  ]);
});

test('a path starts at the working directory', () => {
  assert.deepEqual(parsed(folder(), ['data', '../data', '/var/lib', '.', '']), [
    '/home/me/data',
    '/home/data',
    '/var/lib',
    '/home/me',
    'is not a path',
  ]);
  assert.deepEqual(parsed(file(), ['weir.yaml', 'a\0b']), ['/home/me/weir.yaml', 'is not a path']);
});

test('a choice is one of its words, letter by letter', () => {
  assert.deepEqual(parsed(choice('text', 'json'), ['json', 'JSON', '']), [
    'json',
    'is not one of text, json',
    'is not one of text, json',
  ]);
});

test('a network is an address, or one with the length of its prefix', () => {
  const good = ['10.0.0.0/8', '192.168.1.1', '0.0.0.0/0', '::1', 'fd00::/8', '2001:db8::/32', '::/0'];
  assert.deepEqual(parsed(networks(), good), good);
});

test('spellings of networks that could mean something else are refused', () => {
  const bad = ['', '10', '10.1', '0x7f.1', '010.0.0.1', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '10.0.0.0/8/8'];
  for (const words of parsed(networks(), [
    ...bad,
    '10.0.0.0/255.0.0.0',
    '::/129',
    'fe80::1%eth0',
    'localhost',
    '[::1]',
  ]))
    assert.equal(words, 'is not an IP address or network such as 10.0.0.0/8 or ::1');
});

test('a network of mapped addresses would never match, and is refused', () => {
  assert.deepEqual(
    parsed(networks(), ['::ffff:10.0.0.1', '::ffff:10.0.0.0/104']),
    Array<string>(2).fill('is an IPv4-mapped IPv6 address; write it as IPv4'),
  );
});

test('a host name is kept as URLs have it: small letters, no dot at the end, Punycode', () => {
  assert.deepEqual(parsed(hostNames(), ['Lists.Example.ORG.', 'my_service', 'bücher.example', 'a.1b']), [
    'lists.example.org',
    'my_service',
    'xn--bcher-kva.example',
    'a.1b',
  ]);
});

test('addresses, ports, URLs and wildcards are not host names', () => {
  const bad = ['', '.', '127.0.0.1', '127.1', '[::1]', 'a:80', 'a/b', 'a?b', 'a#b', 'a\\b', 'a%62', 'http://a', 'u@a'];
  for (const words of parsed(hostNames(), [...bad, '*.example.org', '-a', 'a-', 'a..b', 'a b', 'x'.repeat(64)]))
    assert.equal(words, 'is not a host name such as lists.example.org');
});

test('a port is a number from 1 to 65535', () => {
  assert.deepEqual(parsed(ports(), ['1', '65535', '0', '65536', 'http']), [
    1,
    65_535,
    'is less than 1',
    'is more than 65535',
    'is not a port',
  ]);
});

test('a host may carry a port', () => {
  assert.deepEqual(parsed(host(), ['DNS.example.org', 'dns.example.org:8443', 'dns.example.org.']), [
    'dns.example.org',
    'dns.example.org:8443',
    'dns.example.org',
  ]);
  for (const words of parsed(host(), ['', 'a b', 'https://a', 'a:b', '1.2.3.4', 'a/b']))
    assert.equal(words, 'is not a host such as dns.example.org');
});

test('addresses are validated, and dedicated ones must be IPv4', () => {
  assert.deepEqual(parsed(addresses(), ['1.2.3.4', '::1', 'x']), ['1.2.3.4', '::1', 'is not an IP address']);
  assert.deepEqual(parsed(ipv4Addresses(), ['1.2.3.4', '::1']), ['1.2.3.4', 'is not an IPv4 address']);
});

test('the network of devices has 96 bits', () => {
  const refusal = 'is not an IPv6 network of 96 bits such as 2001:db8::/96';
  assert.deepEqual(parsed(network96(), ['2001:db8::/96', '2001:db8::', '2001:db8::/64', '10.0.0.0/96']), [
    '2001:db8::',
    refusal,
    refusal,
    refusal,
  ]);
});

test('a text has something in it, and no line breaks', () => {
  const refusal = 'is not a text of at most 5 characters';
  assert.deepEqual(parsed(text(5), ['Weir', ' ', 'a\nb', 'longer']), ['Weir', refusal, refusal, refusal]);
});

test('a URL begins as it must', () => {
  const refusal = 'is not an address that begins with https:// or http://';
  assert.deepEqual(parsed(url('https:', 'http:'), ['https://a.example/x', 'ftp://a', 'a.example']), [
    'https://a.example/x',
    refusal,
    refusal,
  ]);
});

test('an OAuth client is given with its redirect URI', () => {
  const refusal = 'is not ID=URI such as app=https://app.example/back';
  assert.deepEqual(parsed(clientRedirects(), ['app=https://a.example/b?c=d', 'app', '=https://a', 'app=no uri']), [
    { id: 'app', redirectUri: 'https://a.example/b?c=d' },
    refusal,
    refusal,
    refusal,
  ]);
});
