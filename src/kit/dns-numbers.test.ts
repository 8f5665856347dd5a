import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeNumber, typeName, typeNumber } from './dns-numbers.ts';

test('record types have the names of the registry', () => {
  assert.deepEqual([1, 5, 23, 28, 65, 255].map(typeName), ['A', 'CNAME', 'NSAP-PTR', 'AAAA', 'HTTPS', 'ANY']);
});

test('a record type without a name is written with its number', () => {
  assert.equal(typeName(65400), 'TYPE65400');
});

test('every number of a record type comes back from its name', () => {
  for (let type = 0; type <= 0xffff; type += 1) assert.equal(typeNumber(typeName(type)), type);
});

test('a record type that has a name may be written with its number too', () => {
  assert.equal(typeNumber('TYPE28'), 28);
});

test('text that is not a record type has no number', () => {
  assert.deepEqual(['NOPE', 'a', 'TYPE65536', 'TYPE', 'toString', ''].map(typeNumber), Array(6).fill(undefined));
});

test('response codes have the numbers of the registry', () => {
  assert.deepEqual(['NOERROR', 'SERVFAIL', 'NXDOMAIN', 'REFUSED', 'BADCOOKIE'].map(codeNumber), [0, 2, 3, 5, 23]);
  assert.deepEqual(['NOPE', 'refused', ''].map(codeNumber), Array(3).fill(undefined));
});
