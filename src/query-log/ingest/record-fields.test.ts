import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aQuery } from '../../../test/support/query-log/records.ts';
import { inLowerCase, writeClientPart, writeQueryPart } from './record-fields.ts';
import { createRingMemory, openRingReader, openRingWriter, type RingRecord } from './record-ring.ts';

type Part = typeof writeQueryPart;

/** The words of a part of a record in a ring. */
function wordsOf(write: Part, record: Partial<RingRecord>, compared = { client: true, address: true }): string {
  const memory = createRingMemory(2 ** 12);
  openRingWriter(memory).put({ ...aQuery('www.example'), time: 1, ...record });
  const reader = openRingReader(memory);
  reader.look();
  const [at, into] = [new Int32Array(1), new Int32Array(1024)];
  assert.equal(reader.nextOnes(at), 1);
  const length = write(reader.words, at[0]!, compared, into);
  return into.subarray(0, length).join();
}
const isSame = (
  write: Part,
  one: Partial<RingRecord>,
  other: Partial<RingRecord>,
  compared?: { client: boolean; address: boolean },
) => wordsOf(write, one, compared) === wordsOf(write, other, compared);
const rule = (text: string): Partial<RingRecord> => ({ rule: Buffer.from(text), ruleLength: text.length });
const address = (...bytes: number[]): Partial<RingRecord> => ({
  address: Uint8Array.from(bytes),
  addressLength: bytes.length,
});

test('the query part has name without case, rule and address; nothing of the client', () => {
  const { name, nameLength } = aQuery('WWW.Example');
  assert.ok(isSame(writeQueryPart, {}, { name, nameLength, clientId: 7, type: 28, time: 9, latencyMs: 3 }));
  for (const different of [aQuery('www.exampld'), rule('x'), { list: 1 }, { slot: 2 }, address(192, 0, 2, 1)]) {
    const { time: _, ...others } = different as RingRecord;
    assert.ok(!isSame(writeQueryPart, {}, others));
  }
  assert.ok(!isSame(writeQueryPart, rule('ab'), rule('abc')));
});

test('addresses distinguish query parts only if they are looked up, and only in an answer', () => {
  const [one, other] = [address(192, 0, 2, 1), address(192, 0, 2, 2)];
  const notCompared = { client: false, address: false };
  assert.ok(!isSame(writeQueryPart, one, other));
  assert.ok(isSame(writeQueryPart, one, other, notCompared));
  assert.ok(!isSame(writeQueryPart, one, {}, notCompared));
  assert.ok(isSame(writeQueryPart, { ...one, rcode: 3 }, { ...other, rcode: 3 }));
});

test('the client part has client, type and result; nothing of the name', () => {
  const { name, nameLength } = aQuery('other.example');
  assert.ok(isSame(writeClientPart, {}, { name, nameLength, ...rule('x'), ...address(192, 0, 2, 1), slot: 4 }));
  for (const different of [{ clientId: 1 }, { type: 28 }, { rcode: 3 }, { status: 2 }, { protocol: 0 }, { source: 1 }])
    assert.ok(!isSame(writeClientPart, {}, different), JSON.stringify(different));
  assert.ok(!isSame(writeClientPart, {}, { isDnssec: true }));
});

test('the address of the client distinguishes client parts only if it is stored', () => {
  const other = { client: Uint8Array.of(192, 0, 2, 78), clientLength: 4 };
  assert.ok(!isSame(writeClientPart, {}, other));
  assert.ok(!isSame(writeClientPart, rule('abcdefg'), { ...rule('abcdefg'), ...other }));
  assert.ok(isSame(writeClientPart, {}, other, { client: false, address: true }));
});

test('four bytes become lower case at once, and all but capital letters stay', () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const expected = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    for (const shift of [0, 8, 16, 24])
      assert.equal((inLowerCase(byte << shift) >>> shift) & 0xff, expected, `byte ${byte} at ${shift}`);
  }
  assert.equal(inLowerCase(0x5a415b40) >>> 0, 0x7a615b40);
});
