import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedHosts, isAllowedHost } from './allowed-hosts.ts';

const settings = { publicUrl: 'https://Weir.example:8443/x', dnsHost: 'dns.example:443', deviceDomain: 'd.example' };
const own = allowedHosts(settings, 'Box.lan');

const table: readonly (readonly [host: string, isOwn: boolean])[] = [
  ['127.0.0.1', true],
  ['127.0.0.1:8080', true],
  ['192.168.1.2:8080', true],
  ['[::1]', true],
  ['[::1]:8080', true],
  ['localhost', true],
  ['LocalHost.:8080', true],
  ['weir.localhost:8080', true],
  ['box.lan', true],
  ['BOX:8080', true],
  ['box.local', true],
  ['weir.example', true],
  ['weir.example:8443', true],
  ['dns.example', true],
  ['a1b2c3d4.d.example:8080', true],
  ['d.example', true],
  ['other.example', false],
  ['other.example:8080', false],
  ['a.weir.example', false],
  ['xd.example', false],
  ['localhost.other.example', false],
  ['notlocalhost', false],
  ['127.0.0.1.other.example', false],
  ['box.other.example', false],
  ['box.lan.other.example', false],
  ['127.1', false],
  ['[x]', false],
  ['[::1', false],
  ['::1', false],
  ['localhost:8080:1', false],
  ['localhost@other.example', false],
  ['', false],
  ['.', false],
  [':8080', false],
];

for (const [host, isOwn] of table)
  test(`the Host "${host}" is ${isOwn ? 'one of ours' : 'none of ours'}`, () => {
    assert.equal(isAllowedHost(host, own), isOwn);
  });

test('without settings there are addresses, localhost and the name of the machine', () => {
  const few = allowedHosts({ publicUrl: undefined, dnsHost: 'localhost', deviceDomain: undefined }, 'box');
  const hosts = ['10.0.0.1', 'localhost', 'a.localhost', 'box', 'box.local', 'weir.example', 'box.lan', ''];
  assert.deepEqual(
    hosts.filter((host) => isAllowedHost(host, few)),
    ['10.0.0.1', 'localhost', 'a.localhost', 'box', 'box.local'],
  );
});
