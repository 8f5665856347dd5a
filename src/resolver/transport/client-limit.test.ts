import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { slow } from '../../../test/support/kit/slow.ts';
import { addressBytes } from '../identity/address-key.ts';
import { type Allowance, type ClientLimitOptions, clientLimit, clientLimitMemory } from './client-limit.ts';

const secret = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
const limit = (options: Partial<ClientLimitOptions> = {}) =>
  clientLimit({ memory: clientLimitMemory(1024), secret, ...options });
const ip = (text: string): Uint8Array => addressBytes(text)!;
const anybody = ip('192.0.2.1');
const START = 1_790_000_000_000;

const times = (count: number, take: (index: number) => Allowance): Record<Allowance, number> => {
  const seen = { pass: 0, drop: 0, slip: 0 };
  for (let i = 0; i < count; i++) seen[take(i)]++;
  return seen;
};

test('300 queries pass at once; every second one above is answered truncated', () => {
  const { take } = limit();
  assert.deepEqual(
    times(500, () => take(anybody, START)),
    { pass: 300, drop: 100, slip: 100 },
  );
});

test('the allowance refills at 30 a second, up to 300', () => {
  const { take } = limit();
  times(300, () => take(anybody, START));
  assert.equal(times(100, () => take(anybody, START + 1001)).pass, 30);
  assert.equal(times(500, () => take(anybody, START + 3_600_000)).pass, 300);
});

test('the block counts, not the address: /24 of IPv4, /56 of IPv6', () => {
  const { take } = limit({ queries: 1 });
  assert.equal(take(ip('192.0.2.1'), START), 'pass');
  assert.equal(take(ip('192.0.2.254'), START), 'drop');
  assert.equal(take(ip('192.0.3.1'), START), 'pass');
  assert.equal(take(ip('2001:db8:0:100::1'), START), 'pass');
  assert.equal(take(ip('2001:db8:0:1ff:ffff::'), START), 'drop');
  assert.equal(take(ip('2001:db8:0:200::1'), START), 'pass');
});

test('one address over its limit leaves the tokens of its network to the others', () => {
  const { take, hasLeft } = limit({ queries: 30, addressQueries: 10 });
  assert.equal(times(1000, () => take(ip('192.0.2.1'), START)).pass, 10);
  assert.ok(!hasLeft(ip('192.0.2.1'), START) && hasLeft(ip('192.0.2.2'), START));
  assert.equal(times(10, () => take(ip('192.0.2.2'), START)).pass, 10);
  assert.equal(times(100, (at) => take(ip(`192.0.2.${3 + at}`), START)).pass, 10, 'the network has 30');
  assert.ok(!hasLeft(ip('192.0.2.250'), START));
  assert.equal(take(ip('2001:db8::1'), START), 'pass');
});

test('an IPv6 host is its /64', () => {
  const { take } = limit({ queries: 30, addressQueries: 1 });
  assert.equal(take(ip('2001:db8::1'), START), 'pass');
  assert.equal(take(ip('2001:db8::2:1'), START), 'drop');
  assert.equal(take(ip('2001:db8:0:1::1'), START), 'pass');
});

test('an IPv4 block and the IPv6 block that begins with the same bytes are two', () => {
  const { take } = limit({ queries: 1 });
  take(Uint8Array.of(0, 0, 1, 9), START);
  assert.equal(take(Uint8Array.from([0, 0, 0, 1, ...Array(12).fill(0)]), START), 'pass');
});

test('loopback is not limited unless that is wanted', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) {
    const free = limit({ queries: 1 });
    assert.equal(times(9, () => free.take(ip(address), START)).pass, 9);
    const bound = limit({ queries: 1, isExempt: () => false });
    assert.equal(times(9, () => bound.take(ip(address), START)).pass, 1);
  }
});

test('no slip when none is wanted', () => {
  const { take } = limit({ queries: 1, slip: 0 });
  assert.deepEqual(
    times(9, () => take(anybody, START)),
    { pass: 1, drop: 8, slip: 0 },
  );
});

test('two threads with the same memory share the limit', () => {
  const memory = clientLimitMemory(1024);
  const [one, other] = [limit({ memory }), limit({ memory })];
  times(200, () => one.take(anybody, START));
  assert.equal(times(200, () => other.take(anybody, START)).pass, 100);
});

test('a million invented sources neither grow the table nor free one that is over its limit', slow, () => {
  const { take } = limit({ memory: clientLimitMemory() });
  times(400, () => take(anybody, START));
  const source = new Uint8Array(4);
  const invented = times(1_000_000, (index) => {
    new DataView(source.buffer).setUint32(0, Math.imul(index, 0x9e3779b1));
    return take(source, START + index / 1000);
  });
  // They arrive within a second, so few networks occur twice.
  assert.ok(invented.pass > 950_000, `${invented.pass}`);
  assert.ok(times(100, () => take(anybody, START + 1000)).pass <= 30);
});

test('in any period, at most a full bucket and the refilled tokens pass', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 40 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), (moves, queries, seconds) => {
      const { take } = limit({ queries, seconds });
      const passed: number[] = [];
      let now = START;
      for (const [wait, count] of moves) {
        now += wait;
        for (let i = 0; i < count; i++) if (take(anybody, now) === 'pass') passed.push(now);
      }
      for (let from = 0; from < passed.length; from++)
        for (let to = from; to < passed.length; to++) {
          const back = ((passed[to]! - passed[from]!) * queries) / (seconds * 1000);
          assert.ok(to - from + 1 <= queries + back + 1);
        }
    }),
    { numRuns: 100 },
  );
});

test('a client below the rate is never limited', () => {
  const gaps = fc.array(fc.integer({ min: 1001, max: 10_000_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(gaps, (waits) => {
      const { take } = limit({ queries: 10, seconds: 10 });
      let now = START;
      for (const wait of waits) {
        now += wait;
        assert.equal(take(anybody, now), 'pass');
      }
    }),
    // The clock of the buckets has wrapped twice in between.
    { examples: [[[1001, 8_379_608]]] },
  );
});
