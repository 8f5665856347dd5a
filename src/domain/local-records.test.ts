import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, ProfileId } from './ids.ts';
import { checkLocalRecord, type LocalRecord, type LocalRecordInput } from './local-records.ts';

const account = 'account' as AccountId;
const home = 'aaaaaaaa' as ProfileId;

const input = (name: string, type: LocalRecordInput['type'], value: string, rest: Partial<LocalRecordInput> = {}) => ({
  name,
  type,
  value,
  ttlSeconds: undefined,
  profile: undefined,
  ...rest,
});

const checked = (given: LocalRecordInput, others: readonly LocalRecord[] = []): string => {
  const result = checkLocalRecord(others, given, [home]);
  if (result.ok) return `${result.value.name} ${result.value.type} ${result.value.value}`;
  return result.error.kind === 'invalid'
    ? result.error.errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
    : result.error.kind;
};

const canonical: readonly (readonly [string, LocalRecordInput['type'], string, string])[] = [
  ['NAS.Home.', 'A', ' 192.168.1.5 ', 'nas.home A 192.168.1.5'],
  ['nas', 'AAAA', 'FD00:0::5', 'nas AAAA fd00::5'],
  ['*.Apps.home', 'A', '10.0.0.1', '*.apps.home A 10.0.0.1'],
  ['drucker.büro', 'CNAME', 'Printer.Home.', 'drucker.xn--bro-hoa CNAME printer.home'],
  ['192.168.1.5', 'PTR', 'nas.home', '5.1.168.192.in-addr.arpa PTR nas.home'],
  ['fd00::1', 'PTR', 'nas', `1.${'0.'.repeat(29)}d.f.ip6.arpa PTR nas`],
  ['_sip._tcp.home', 'SRV', '0  5 5060 SIP.home', '_sip._tcp.home SRV 0 5 5060 sip.home'],
  ['gone.home', 'SRV', '0 0 0 .', 'gone.home SRV 0 0 0 .'],
  ['home', 'TXT', 'Text, with "quotes" ü', 'home TXT Text, with "quotes" ü'],
];
for (const [name, type, value, expected] of canonical)
  test(`a record in canonical form: ${expected}`, () => assert.equal(checked(input(name, type, value)), expected));

const invalidRecords: readonly (readonly [LocalRecordInput, RegExp])[] = [
  [input('nas.home', 'A', 'fd00::1'), /^value: must be an IPv4 address/],
  [input('nas.home', 'A', '192.168.1.05'), /^value: must be an IPv4 address/],
  [input('nas.home', 'AAAA', '1.2.3.4'), /^value: must be an IPv6 address/],
  [input('na s', 'A', '1.2.3.4'), /^name: must be a domain name/],
  [input('a.*.home', 'A', '1.2.3.4'), /^name: must be a domain name/],
  [input('*', 'A', '1.2.3.4'), /^name: must be a domain name/],
  [input('', 'A', ''), /^name: .*; value: /],
  [input('a..b', 'CNAME', 'c'), /^name: /],
  [input(`${'a'.repeat(64)}.home`, 'A', '1.2.3.4'), /^name: /],
  [input('a.home', 'CNAME', 'A.home.'), /^value: must not be the name itself/],
  [input('a.home', 'SRV', '0 5 70000 b'), /^value: must be priority/],
  [input('a.home', 'SRV', '0 5 80'), /^value: must be priority/],
  [input('a.home', 'TXT', 'x'.repeat(1025)), /^value: must be text/],
  [input('a.home', 'A', '1.2.3.4', { ttlSeconds: -1 }), /^ttl: /],
  [input('a.home', 'A', '1.2.3.4', { profile: 'bbbbbbbb' }), /^dns_server_id: /],
];
for (const [given, expected] of invalidRecords)
  test(`refused: ${given.name.slice(0, 20)} ${given.type} ${given.value.slice(0, 20)}`, () =>
    assert.match(checked(given), expected));

test('a name with an alias has no other records, in the same scope', () => {
  const stored = (type: LocalRecord['type'], value: string, profile?: ProfileId): LocalRecord => ({
    id: '1',
    account,
    profile,
    name: 'a.home',
    type,
    value,
    ttlSeconds: undefined,
  });
  const alias = /^type: a name with a CNAME record/;
  assert.match(checked(input('a.home', 'A', '1.2.3.4'), [stored('CNAME', 'b.home')]), alias);
  assert.match(checked(input('a.home', 'CNAME', 'b.home'), [stored('A', '1.2.3.4')]), alias);
  assert.match(checked(input('a.home', 'CNAME', 'c.home'), [stored('CNAME', 'b.home')]), alias);
  assert.match(
    checked(input('a.home', 'A', '1.2.3.4'), [stored('A', '1.2.3.4')]),
    /^value: this record already exists/,
  );
  assert.match(checked(input('a.home', 'A', '1.2.3.5'), [stored('A', '1.2.3.4')]), /^a\.home/);
  assert.match(checked(input('a.home', 'A', '1.2.3.4'), [stored('CNAME', 'b.home', home)]), /^a\.home/);
});
