import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { aRecord } from '../../../test/support/query-log/logs.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';
import { readRecordsBody } from './records-body.ts';

const bodyOf = (...records: readonly unknown[]): Uint8Array =>
  gzipSync(records.map((record) => JSON.stringify(record)).join('\n'));
const isRead = (different: object): boolean => readRecordsBody(bodyOf({ ...aRecord(), ...different })) !== undefined;

test('records are read as they were sent', () => {
  const records = [
    aRecord(),
    aRecord({ latencyMs: 12, source: 'FILTERS', filterId: 'list', rule: '||example.org^', asn: 64_500 }),
  ];
  assert.deepEqual(readRecordsBody(bodyOf(...records)), records);
});

test('every name and rule that a node can log is accepted, because an invalid one would reject the whole batch', () => {
  // 255 bytes, each of which takes four characters.
  const labels = [63, 63, 63, 61].map((length) => '\\200'.repeat(length));
  const longest = nameText(wireName(labels.join('.'))!, 0);
  assert.equal(longest.length, 1003);
  assert.ok(isRead({ domain: longest }));
  // The parser of rules accepts 10 KiB.
  assert.ok(isRead({ rule: 'x'.repeat(10 * 1024) }));
});

test('a batch with one invalid record is refused', () => {
  for (const invalid of [
    { time: -1 },
    { time: 1.5 },
    // Later than any date.
    { time: Number.MAX_SAFE_INTEGER },
    { account: undefined },
    { account: 'x'.repeat(301) },
    { domain: 5 },
    { domain: 'x'.repeat(2000) },
    { rule: 'x'.repeat(20_000) },
    { status: 'OTHER' },
    { protocol: 'HTTP' },
    { category: 'ads' },
    { source: 'FILTER' },
    { type: 2 ** 32 },
    { dnssec: 'false' },
    { latencyMs: 0.5 },
  ]) {
    assert.equal(isRead(invalid), false, JSON.stringify(invalid));
    assert.equal(readRecordsBody(bodyOf(aRecord(), { ...aRecord(), ...invalid })), undefined);
  }
});

test('a body that is not compressed lines of JSON is refused', () => {
  for (const body of [
    new Uint8Array(0),
    Buffer.from('{}'),
    gzipSync(''),
    gzipSync('{'),
    gzipSync('[1]\nnull'),
    bodyOf(aRecord()).subarray(0, 30),
  ])
    assert.equal(readRecordsBody(body), undefined);
});

test('a small body that expands to more than 64 MiB is refused', () => {
  const megabyte = gzipSync(Buffer.alloc(2 ** 20, ' '));
  assert.equal(readRecordsBody(Buffer.concat([bodyOf(aRecord()), ...Array(64).fill(megabyte)])), undefined);
});
