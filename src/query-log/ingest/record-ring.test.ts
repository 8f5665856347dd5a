import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRingMemory, newRingRecord, openRingReader, openRingWriter, type RingRecord } from './record-ring.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const anyRecord = fc
  .record({
    time: fc.integer({ min: 0, max: 4e12 }),
    latencyMs: fc.integer({ min: 0, max: 0x7fffffff }),
    clientId: fc.integer({ min: 0, max: 0xffffffff }),
    type: fc.integer({ min: 0, max: 0xffff }),
    rcode: fc.integer({ min: 0, max: 23 }),
    protocol: fc.integer({ min: 0, max: 4 }),
    status: fc.integer({ min: 0, max: 6 }),
    source: fc.integer({ min: 0, max: 255 }),
    isDnssec: fc.boolean(),
    list: fc.integer({ min: 0, max: 0xffffffff }),
    slot: fc.integer({ min: 0, max: 0xffffffff }),
    rule: bytes(300),
    client: bytes(16),
    address: bytes(16),
    name: bytes(255),
  })
  .map(({ rule, client, address, name, ...numbers }): RingRecord => {
    const record = { ...newRingRecord(), ...numbers };
    record.rule.set(rule);
    record.client.set(client);
    record.address.set(address);
    record.name.set(name);
    return {
      ...record,
      ruleLength: rule.length,
      clientLength: client.length,
      addressLength: address.length,
      nameLength: name.length,
    };
  });

/** Only the used part of the buffers. */
const told = (record: RingRecord) => ({
  ...record,
  rule: record.rule.slice(0, record.ruleLength),
  client: record.client.slice(0, record.clientLength),
  address: record.address.slice(0, record.addressLength),
  name: record.name.slice(record.nameAt, record.nameAt + record.nameLength),
  nameAt: 0,
});

test('records come out as they went in, in their order, however often the ring goes round', () => {
  const step = fc.oneof(
    anyRecord.map((record) => ({ kind: 'put', record }) as const),
    fc.constant({ kind: 'take' } as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const memory = createRingMemory(4096);
      const [writer, reader] = [openRingWriter(memory), openRingReader(memory)];
      const inside: RingRecord[] = [];
      let dropped = 0;
      for (const { kind, ...put } of steps) {
        if (kind === 'put') {
          const { record } = put as { record: RingRecord };
          if (writer.put(record)) inside.push(record);
          else dropped += 1;
          continue;
        }
        const taken = newRingRecord();
        const expected = inside.shift();
        assert.equal(reader.take(taken), expected !== undefined);
        if (expected) assert.deepEqual(told(taken), told(expected));
      }
      assert.equal(reader.counts().dropped, dropped);
    }),
  );
});

test('a reader that keeps up leaves three quarters of the memory unused; one that falls behind loses nothing', () => {
  const memory = createRingMemory(64 * 1024);
  const [writer, reader] = [openRingWriter(memory), openRingReader(memory)];
  const [record, taken] = [newRingRecord(), newRingRecord()];
  let [written, read] = [0, 0];
  const put = (count: number): void => {
    for (let each = 0; each < count; each += 1) assert.ok(writer.put({ ...record, clientId: written++ }));
  };
  const take = (count: number): void => {
    for (let each = 0; each < count; each += 1) {
      assert.ok(reader.take(taken));
      assert.equal(taken.clientId, read++);
    }
  };
  const isUnused = (): boolean => new Uint8Array(memory, 24 * 1024).every((byte) => byte === 0);
  for (let round = 0; round < 1000; round += 1) {
    put(5);
    take(5);
    assert.ok(writer.backlog() === 0, `${writer.backlog()} in round ${round}`);
  }
  assert.ok(isUnused());
  assert.equal(writer.takeUnused(), undefined);
  put(1000);
  assert.ok(writer.backlog() > 0.5 && writer.backlog() < 0.8);
  assert.ok(!isUnused());
  take(900);
  put(900);
  assert.equal(writer.takeUnused(), undefined);
  take(1000);
  assert.equal(writer.backlog(), 0);
  // Its memory can be released, and records go on.
  writer.takeUnused()?.fill(0);
  assert.equal(writer.takeUnused(), undefined);
  for (let round = 0; round < 100; round += 1) {
    put(5);
    take(5);
  }
  assert.equal(writer.takeUnused(), undefined);
  put(1000);
  take(1000);
  assert.equal(writer.takeUnused()?.length, 48 * 1024);
  assert.equal(reader.counts().dropped, 0);
});

test('a full ring drops, counts what it dropped, and goes on when there is room', () => {
  const memory = createRingMemory(4096);
  const [writer, reader] = [openRingWriter(memory), openRingReader(memory)];
  const record = newRingRecord();
  let written = 0;
  while (writer.put(record)) written += 1;
  assert.ok(written > 50);
  assert.deepEqual(reader.counts(), { written, dropped: 1 });
  assert.equal(reader.take(newRingRecord()), true);
  assert.equal(writer.put(record), true);
  assert.equal(writer.put(record), false);
  assert.deepEqual(reader.counts(), { written: written + 1, dropped: 2 });
});

test('records written after a read are left for the next read', () => {
  const memory = createRingMemory(4096);
  const [writer, reader] = [openRingWriter(memory), openRingReader(memory)];
  const put = (clientId: number) => writer.put({ ...newRingRecord(), clientId });
  const places = new Int32Array(10);
  const tail = (): number[] => {
    return Array.from(places.subarray(0, reader.nextOnes(places)), (at) => {
      const record = newRingRecord();
      reader.read(at, record);
      reader.passTo(at);
      return record.clientId;
    });
  };
  put(1);
  assert.deepEqual(tail(), []);
  reader.look();
  put(2);
  assert.deepEqual(tail(), [1]);
  reader.look();
  put(3);
  assert.deepEqual(tail(), [2]);
});
