import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAddressPattern } from './address-pattern.ts';
import { readPattern } from './read-pattern.ts';

const cases: readonly (readonly [pattern: string, expected: boolean])[] = [
  ['||192.0.2.7^', true],
  ['192.0.2.7', true],
  ['||192.0.2.*', true],
  ['||2001:db8::1^', true],
  ['||2001:db8:*', true],
  ['/^192\\.0\\.2\\.\\d+$/', true],
  ['/^2001:db8:/', true],
  ['*', false],
  ['||example.org^', false],
  ['||2.7^', false],
  ['||10*', false],
  ['ads', false],
  ['||abc.de', false],
  ['/.*/', false],
  ['/^\\d+\\./', false],
  ['/^ad[0-9]\\./', false],
];
for (const [text, expected] of cases)
  test(`${text} is ${expected ? 'a' : 'not a'} pattern for addresses`, () => {
    const pattern = readPattern(text);
    assert.ok(pattern.ok);
    assert.equal(isAddressPattern(pattern.value), expected);
  });
