import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importHosts, parseHostsFile } from './hosts-file.ts';
import type { AccountId } from './ids.ts';
import { MAX_LOCAL_RECORDS } from './local-records.ts';

const account = 'account' as AccountId;
const context = () => {
  let last = 0;
  return { account, profile: undefined, newId: () => String(++last) };
};

test('a hosts file has an address and names on each line, comments, and any line ends', () => {
  const text =
    '\u{feff}# my hosts\r\n192.168.1.5\tnas.home  NAS # the storage\r\n\r\n  fd00::5 nas.home\n127.0.0.1 localhost\n::1 ip6-localhost ip6-loopback\n127.0.1.1 localhost box\n';
  const { entries, errors } = parseHostsFile(text);
  assert.deepEqual(
    entries.map(({ line, names }) => [line, ...names]),
    [
      [2, 'nas.home', 'nas'],
      [4, 'nas.home'],
      [7, 'box'],
    ],
  );
  assert.deepEqual(errors, []);
});

test('errors name the line', () => {
  const { entries, errors } = parseHostsFile('1.2.3.4 a\nnas 1.2.3.4\n1.2.3.4\n1.2.3.4 good b_d! \n1.2.3 c');
  assert.equal(entries.length, 1);
  assert.deepEqual(errors, [
    { line: 2, message: '"nas" is not an IP address' },
    { line: 3, message: 'a host name must follow the address' },
    { line: 4, message: '"b_d!" is not a host name' },
    { line: 5, message: '"1.2.3" is not an IP address' },
  ]);
});

test('an import adds what is new; importing again changes nothing', () => {
  const text = '192.168.1.5 nas.home nas\nfd00::5 nas.home\n192.168.1.5 nas\nx';
  const first = importHosts([], text, context());
  assert.ok(first.ok);
  assert.deepEqual(
    first.value.added.map(({ name, type, value }) => `${name} ${type} ${value}`),
    ['nas.home A 192.168.1.5', 'nas A 192.168.1.5', 'nas.home AAAA fd00::5'],
  );
  assert.equal(first.value.unchanged, 1);
  assert.deepEqual(
    first.value.errors.map(({ line }) => line),
    [4],
  );
  const second = importHosts(first.value.added, text, context());
  assert.ok(second.ok);
  assert.deepEqual([second.value.added.length, second.value.unchanged], [0, 4]);
});

test('a name with an alias is not imported, and too many records are refused', () => {
  const alias = {
    id: 'x',
    account,
    profile: undefined,
    name: 'a',
    type: 'CNAME',
    value: 'b',
    ttlSeconds: undefined,
  } as const;
  const imported = importHosts([alias], '1.2.3.4 a b', context());
  assert.ok(imported.ok);
  assert.equal(imported.value.added.length, 1);
  assert.match(imported.value.errors[0]!.message, /^a: a name with a CNAME record/);
  const many = Array.from({ length: MAX_LOCAL_RECORDS + 1 }, (_, i) => `10.0.0.1 h${i}`).join('\n');
  const refused = importHosts([], many, context());
  assert.ok(!refused.ok);
  assert.equal(refused.error.kind, 'limit reached');
});
