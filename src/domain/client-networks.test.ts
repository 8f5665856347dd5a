import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AssignableNetworks, clientNetworks, privateNetworks } from './client-networks.ts';
import type { ProfileId } from './ids.ts';

const home = 'aaaaaaaa' as ProfileId;
const kids = 'aaaaaaa1' as ProfileId;

function result(assignable: AssignableNetworks, ...requested: readonly (readonly [string, string])[]): unknown {
  const networks = clientNetworks(
    requested.map(([network, profile]) => ({ network, profile })),
    [home, kids],
    assignable,
  );
  if (networks.ok) return networks.value.map(({ network, profile }) => `${network} ${profile}`);
  return networks.error.kind === 'invalid'
    ? networks.error.errors.map(({ field, message }) => `${field} ${message}`)
    : networks.error.kind;
}

test('networks are stored in one spelling, sorted', () => {
  assert.deepEqual(result('private', ['192.168.7.9/24', kids], ['10.0.0.0/8', home]), [
    `10.0.0.0/8 ${home}`,
    `192.168.7.0/24 ${kids}`,
  ]);
  assert.deepEqual(result('none'), []);
});

test('all private networks may be assigned together', () => {
  const all = privateNetworks.map((network) => [network, home] as const);
  assert.equal((result('private', ...all) as string[]).length, privateNetworks.length);
});

for (const [what, assignable, requested, expected] of [
  ['a public network', 'private', ['192.0.2.0/24', home], /^networks\[0\]\.network must be a private network/],
  ['a network that is only partly private', 'private', ['172.0.0.0/8', home], /must be a private network/],
  ['text', 'private', ['lan', home], /^networks\[0\]\.network must be a network such as/],
  [
    'a server of another account',
    'private',
    ['10.0.0.0/8', 'bbbbbbbb'],
    /^networks\[0\]\.dns_server_id must be the id/,
  ],
  ['the whole internet', 'any', ['0.0.0.0/0', home], /at least \/8: to answer all clients/],
] as const)
  test(`refused: ${what}`, () => assert.match((result(assignable, requested) as string[]).join(), expected));

test('the operator may assign a public network', () => {
  assert.deepEqual(result('any', ['192.0.2.0/24', home]), [`192.0.2.0/24 ${home}`]);
});

test('refused: two servers for one network, networks where none may be assigned, too many', () => {
  assert.deepEqual(result('private', ['10.0.0.0/8', home], ['10.1.2.3/8', kids]), [
    'networks[1].network 10.0.0.0/8 is in the list twice',
  ]);
  assert.equal(result('none', ['10.0.0.0/8', home]), 'forbidden');
  const many = Array.from({ length: 65 }, (_, index) => [`10.0.${index}.0/24`, home] as const);
  assert.deepEqual(result('private', ...many), ['networks must have at most 64 entries']);
});
