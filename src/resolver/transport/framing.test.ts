import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFraming } from './framing.ts';

const framed = (message: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([message.length >> 8, message.length & 0xff]), message]);

/** Messages that differ in length and content. */
const message = fc
  .tuple(fc.nat(255), fc.integer({ min: 12, max: 700 }))
  .map(([fill, size]) => Buffer.alloc(size, fill));

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
}

test('messages are complete and in order, for any chunks and pauses of the reader', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      fc.array(fc.nat(6000), { maxLength: 30 }),
      fc.array(fc.boolean()),
      (messages, cuts, pauses) => {
        const seen: Buffer[] = [];
        let count = 0;
        const framing = createFraming((bytes, at, length) => {
          seen.push(Buffer.from(bytes.subarray(at, at + length)));
          return !pauses[count++];
        });
        for (const piece of cutAt(Buffer.concat(messages.map(framed)), cuts)) {
          let fed = framing.feed(piece);
          while (fed === 'held') fed = framing.resume();
          assert.equal(fed, 'read');
        }
        assert.deepEqual(seen, messages);
        assert.equal(framing.hasPart(), false);
      },
    ),
  );
});

test('data that arrives while the reader is paused is appended to the buffered data', () => {
  const seen: number[] = [];
  const framing = createFraming((bytes, at) => seen.push(bytes[at]!) % 2 === 0);
  const [a, b, c, d] = [1, 2, 3, 4].map((fill) => framed(Buffer.alloc(12, fill))) as [Buffer, Buffer, Buffer, Buffer];
  assert.equal(framing.feed(Buffer.concat([a, b])), 'held');
  assert.equal(framing.feed(c), 'held');
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(framing.resume(), 'read');
  assert.equal(framing.feed(d.subarray(0, 5)), 'read');
  assert.equal(framing.hasPart(), true);
});

test('a length that no DNS message can have is broken, as soon as it is known', () => {
  for (let length = 0; length < 12; length++) {
    const whole = createFraming(() => true);
    assert.equal(whole.feed(Buffer.concat([framed(Buffer.alloc(12)), Buffer.from([0, length, 1, 2])])), 'broken');
    const pieces = createFraming(() => true);
    assert.equal(pieces.feed(Buffer.from([0])), 'read');
    assert.equal(pieces.feed(Buffer.from([length])), 'broken');
  }
});

test('an announcement of 64 KB takes no 64 KB', () => {
  const before = process.memoryUsage().arrayBuffers;
  const all = Array.from({ length: 1000 }, () => {
    const framing = createFraming(() => true);
    framing.feed(Buffer.from([0xff, 0xff, 1, 2, 3]));
    return framing;
  });
  assert.ok(process.memoryUsage().arrayBuffers - before < 4_000_000);
  assert.ok(all.every((framing) => framing.hasPart()));
});
