import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { collectRelayed, type Relayed, readRelayed } from './relay-messages.ts';

test('messages are read unchanged', () => {
  const message = fc.record({
    upstream: fc.nat(15),
    exchange: fc.nat(0xffff),
    generation: fc.nat(0xffffffff),
    message: fc.uint8Array({ maxLength: 3000 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
      const collected = collectRelayed();
      for (const each of messages) collected.add(each);
      const read: Relayed[] = [];
      const packed = collected.take();
      if (packed) readRelayed(packed, (each) => read.push({ ...each, message: each.message.slice() }));
      assert.deepEqual(
        read,
        messages.map((each) => ({ ...each })),
      );
      assert.equal(collected.take(), undefined);
    }),
  );
});
