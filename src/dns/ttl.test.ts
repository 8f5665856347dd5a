import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { address, alias, answerTo, anyMessage, asking, authority, bytes } from '../../test/support/dns/packets.ts';
import type { Message, ResourceRecord } from './message.ts';
import { rcodes, types } from './numbers.ts';
import { readMessage } from './read-message.ts';
import { cacheSeconds, capTtls, negativeTtl, ttlOffsets } from './ttl.ts';
import { writeMessage } from './write-message.ts';

const ttlsOf = (message: Message): number[] =>
  [...message.answer, ...message.authority, ...message.additional].map(({ ttl }) => ttl);

function readBack(written: Uint8Array): Message {
  const read = readMessage(written);
  assert.ok(read.ok);
  return read.value;
}

test('TTLs are capped in the bytes, and nothing else changes', () => {
  fc.assert(
    fc.property(anyMessage, fc.integer({ min: 0, max: 700_000 }), (message, seconds) => {
      const bytes = writeMessage(message);
      const offsets = ttlOffsets(bytes)!;
      assert.equal(offsets.length, ttlsOf(message).length);
      capTtls(bytes, offsets, seconds);
      const capped = readBack(bytes);
      assert.deepEqual(
        ttlsOf(capped),
        ttlsOf(message).map((ttl) => Math.min(ttl, seconds)),
      );
      const still = (one: ResourceRecord): ResourceRecord => ({ ...one, ttl: 0 });
      assert.deepEqual(
        { ...capped, answer: capped.answer.map(still), authority: [], additional: [] },
        { ...message, answer: message.answer.map(still), authority: [], additional: [] },
      );
    }),
    { numRuns: 300 },
  );
});

test('a TTL with the top bit set is capped like any large one', () => {
  const message = bytes('1234 8180 0000 0001 0000 0000 00 0001 0001 ffffffff 0004 c0000201');
  capTtls(message, ttlOffsets(message)!, 86_400);
  assert.equal(readBack(message).answer[0]!.ttl, 86_400);
});

test('a malformed message has no TTLs', () => {
  for (const hex of [
    '1234 8180 0000 0001 0000',
    '1234 8180 ffff 0000 0000 0000',
    '1234 8180 0001 0000 0000 0000 00 0001',
    '1234 8180 0000 ffff ffff ffff',
    '1234 8180 0000 0001 0000 0000 00 0001 0001 0000003c 0005 c0000201',
    '1234 8180 0000 0001 0000 0000 c00c 0001 0001 0000003c 0004 c0000201',
  ]) {
    assert.equal(ttlOffsets(bytes(hex)), undefined, hex);
  }
});

const asked = asking('www.example.com');
const minutes = (count: number) => ({ ...address('www.example.com'), ttl: count * 60 });

test('an answer is cached for its smallest TTL, up to a day', () => {
  assert.equal(cacheSeconds(answerTo(asked, { answer: [minutes(2), minutes(1)] })), 60);
  assert.equal(cacheSeconds(answerTo(asked, { answer: [minutes(0)] })), 0);
  assert.equal(cacheSeconds(answerTo(asked, { answer: [minutes(10_000)] })), 86_400);
  const chain = [
    { ...alias('www.example.com', 'a.example.com'), ttl: 5 },
    { ...address('a.example.com'), ttl: 60 },
  ];
  assert.equal(cacheSeconds(answerTo(asked, { answer: chain })), 5);
});

test('negative answers are cached as in RFC 2308, up to an hour', () => {
  const nothing = (rcode: number, parts: Partial<Message>): number =>
    cacheSeconds(answerTo(asked, { rcode, ...parts }));
  for (const rcode of [rcodes.NOERROR, rcodes.NXDOMAIN]) {
    assert.equal(nothing(rcode, { authority: [authority('example.com', 300, 60)] }), 60);
    assert.equal(nothing(rcode, { authority: [authority('example.com', 30, 60)] }), 30);
    assert.equal(nothing(rcode, { authority: [authority('example.com', 9_000, 8_000)] }), 3_600);
    assert.equal(nothing(rcode, { authority: [authority('example.com', 300, 0)] }), 0);
    assert.equal(nothing(rcode, {}), 0);
    // The alias target does not exist: the answer expires with the alias.
    const answer = [{ ...alias('www.example.com', 'a.example.com'), ttl: 5 }];
    assert.equal(nothing(rcode, { answer, authority: [authority('example.com', 300, 60)] }), 5);
  }
  assert.equal(nothing(rcodes.NXDOMAIN, { answer: [minutes(1)] }), 0);
  assert.equal(negativeTtl(answerTo(asked)), undefined);
});

test('failures, refusals and truncated answers are not cached', () => {
  const whole = { answer: [minutes(1)], authority: [authority('example.com', 300, 60)] };
  assert.equal(cacheSeconds(answerTo(asked, { ...whole, rcode: rcodes.SERVFAIL })), 0);
  assert.equal(cacheSeconds(answerTo(asked, { ...whole, rcode: rcodes.REFUSED })), 0);
  assert.equal(cacheSeconds(answerTo(asked, { ...whole, truncated: true })), 0);
  assert.equal(cacheSeconds({ ...answerTo(asked, whole), questions: [] }), 0);
});

test('the caller can set the limits', () => {
  const limits = { positiveSeconds: 30, negativeSeconds: 10 };
  assert.equal(cacheSeconds(answerTo(asked, { answer: [minutes(1)] }), limits), 30);
  assert.equal(
    cacheSeconds(answerTo(asking('a.test', types.TXT), { authority: [authority('test', 300, 60)] }), limits),
    10,
  );
});
