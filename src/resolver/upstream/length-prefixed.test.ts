import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { framed, frameReader } from './length-prefixed.ts';

function reading() {
  const messages: Uint8Array[] = [];
  const read = frameReader((message) => messages.push(Uint8Array.from(message)));
  return { messages, read };
}

const message = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251);

test('messages are read unchanged for any chunks of the stream', () => {
  const lengths = fc.array(fc.integer({ min: 12, max: 300 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(), { maxLength: 20 }), (sizes, cuts) => {
      const { messages, read } = reading();
      const stream = Buffer.concat(sizes.map((size) => framed(message(size))));
      const places = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
      let from = 0;
      for (const to of places) {
        assert.equal(read(stream.subarray(from, to)), true);
        from = to;
      }
      assert.deepEqual(
        messages.map((one) => one.length),
        sizes,
      );
      for (const one of messages) assert.deepEqual(one, message(one.length));
    }),
  );
});

test('one byte at a time makes the longest message', () => {
  const { messages, read } = reading();
  for (const byte of framed(message(65_535))) assert.equal(read(Uint8Array.of(byte)), true);
  assert.deepEqual(messages, [message(65_535)]);
});

test('a message does not wait for the next', () => {
  const { messages, read } = reading();
  read(framed(message(40)));
  assert.equal(messages.length, 1);
});

for (const length of [0, 1, 11])
  test(`a message of ${length} bytes is invalid, and the stream ends`, () => {
    const { messages, read } = reading();
    assert.equal(read(Uint8Array.of(0, length, 1, 2, 3)), false);
    assert.equal(messages.length, 0);
  });

test('half a prefix, and a prefix that promises more than comes, wait', () => {
  const { messages, read } = reading();
  assert.equal(read(Uint8Array.of(0xff)), true);
  assert.equal(read(Uint8Array.of(0xff)), true);
  assert.equal(read(message(10)), true);
  assert.equal(messages.length, 0);
});
