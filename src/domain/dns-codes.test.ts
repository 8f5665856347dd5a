import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordTypeName, recordTypeNumber, responseCodeName, responseCodeNumber } from './dns-codes.ts';

test('record types have the names of the wire', () => {
  assert.deepEqual([1, 28, 65, 255].map(recordTypeName), ['TypeA', 'TypeAAAA', 'TypeHTTPS', 'TypeANY']);
  assert.deepEqual([0, 23].map(recordTypeName), ['TypeNone', 'TypeNSAPPTR']);
});

test('a record type without a name is written with its number', () => {
  assert.equal(recordTypeName(65400), 'TypeTYPE65400');
});

test('every number of a record type comes back from its name', () => {
  for (let type = 0; type <= 0xffff; type += 1) assert.equal(recordTypeNumber(recordTypeName(type)), type);
});

test('text that is not a record type has no number', () => {
  assert.deepEqual(['TypeNOPE', 'TypeTYPE65536', 'TypeTYPE', ''].map(recordTypeNumber), Array(4).fill(undefined));
});

test('response codes have the names of the wire', () => {
  assert.deepEqual([0, 2, 3, 5, 16, 23].map(responseCodeName), [
    'RcodeSuccess',
    'RcodeServerFailure',
    'RcodeNameError',
    'RcodeRefused',
    'RcodeBadVers',
    'RcodeBadCookie',
  ]);
});

test('a response code that the wire has no name for is a failure of the server', () => {
  assert.deepEqual([11, 15, 24, 3841].map(responseCodeName), Array(4).fill('RcodeServerFailure'));
});

test('names of response codes lead back to their numbers', () => {
  assert.deepEqual(['RcodeNameError', 'RcodeBadSig', 'toString'].map(responseCodeNumber), [3, 16, undefined]);
});
