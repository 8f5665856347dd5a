import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordTypeName, responseCodeName } from './dns-codes.ts';

test('record types have the names of the wire', () => {
  assert.deepEqual([1, 28, 65, 255].map(recordTypeName), ['TypeA', 'TypeAAAA', 'TypeHTTPS', 'TypeANY']);
  assert.deepEqual([0, 23].map(recordTypeName), ['TypeNone', 'TypeNSAPPTR']);
});

test('a record type without a name is written with its number', () => {
  assert.equal(recordTypeName(65400), 'TypeTYPE65400');
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
