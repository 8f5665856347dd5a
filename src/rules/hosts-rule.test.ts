import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mark, unmarked } from '../../test/support/rules/marked.ts';
import { hostsAddress, readHostsNames } from './hosts-rule.ts';

test('the address of a hosts line has one spelling, without zone and brackets', () => {
  for (const [line, address] of [
    ['0.0.0.0 a.com', '0.0.0.0'],
    ['0 a.com', '0.0.0.0'],
    ['2001:DB8:0::1\ta.com', '2001:db8::1'],
    ['fe80::1%lo0 localhost', 'fe80::1'],
    ['[::1] localhost', '::1'],
    ['add example.com', undefined],
    ['999.0.0.1 example.com', undefined],
    ['0.0.0.0', undefined],
  ] as const) {
    assert.equal(hostsAddress(line), address, line);
  }
});

const names = (line: string): readonly string[] => {
  const read = readHostsNames(line);
  assert.ok(read.ok, line);
  return read.value;
};

test('names are read as everywhere, once each', () => {
  assert.deepEqual(names('0.0.0.0 Ads.Example.com ads.example.com. пример.рф word # x.com'), [
    'ads.example.com',
    'xn--e1afmkfd.xn--p1ai',
    'word',
  ]);
});

test('the names of the machine itself are left out', () => {
  assert.deepEqual(names('127.0.0.1 localhost LOCALHOST.localdomain ads.com local'), ['ads.com']);
  for (const line of ['255.255.255.255 broadcasthost', '::1 ip6-loopback', 'ff02::1 ip6-allnodes', '0.0.0.0 0.0.0.0']) {
    assert.deepEqual(names(line), [], line);
  }
});

for (const [reason, marked] of [
  [/^the host name after the address is missing$/, '0.0.0.0«  »# nothing'],
  [/^"1\.2\.3\.4" is an IP address: expected a host name$/, '0.0.0.0 a.com «1.2.3.4»'],
  [/^a label is empty: remove the extra dot$/, '0.0.0.0 a.com  b.«.»com # b..com'],
  [/^a DNS filter sees only host names/, '0.0.0.0 http«:»//a.com'],
] as const) {
  test(`${marked} is not a hosts line: ${reason.source}`, () => {
    const { text, start, end } = unmarked(marked);
    const read = readHostsNames(text);
    assert.ok(!read.ok);
    assert.match(read.error.reason, reason);
    assert.deepEqual([read.error.start, read.error.end], [start, end], mark(text, read.error));
  });
}
