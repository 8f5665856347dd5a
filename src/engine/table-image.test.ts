import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { secret } from '../../test/support/engine/lists.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { buildTable } from './build/build-table.ts';
import { readImage, tableImage } from './table-image.ts';
import { countsIn, HEADER, headerOf, layOut } from './table-layout.ts';

const text = `||a.com^\n@@||b.com^\nc.com\n||A.d.com^\n||e.com^$important\n||e.com^$dnstype=A\n||f*.com^\n/gh[0-9]+ij/\n/k/
||l.com^$badfilter\n`;
const checks = { secret, checksum: crc32 };

/** A copy in ordinary memory, as read from a file. */
const saved = (): Uint8Array => {
  const { buffer } = buildTable(new TextEncoder().encode(text), { secret });
  return Uint8Array.from(tableImage(buffer, checks));
};
const image = saved();
const why = (bytes: Uint8Array): string => {
  const read = readImage(bytes, checks);
  return read.ok ? 'it is trusted' : read.error;
};

test('a saved table is loaded unchanged', () => {
  const read = readImage(image, checks);
  assert.ok(read.ok);
  assert.ok(read.value instanceof SharedArrayBuffer);
  assert.deepEqual(new Uint8Array(read.value), image);
  assert.deepEqual(saved(), image, 'and saved again');
});

test('a table in shared memory is not copied', () => {
  const shared = new SharedArrayBuffer(image.length);
  new Uint8Array(shared).set(image);
  const read = readImage(new Uint8Array(shared), checks);
  assert.equal(read.ok && read.value, shared);
});

test('every flipped bit is detected', slow, () => {
  for (let bit = 0; bit < image.length * 8; bit++) {
    const damaged = image.slice();
    damaged[bit >>> 3]! ^= 1 << (bit & 7);
    assert.notEqual(why(damaged), 'it is trusted', `bit ${bit}`);
  }
});

test('a truncated or extended table is rejected', () => {
  for (let length = 0; length < image.length; length++) assert.notEqual(why(image.slice(0, length)), 'it is trusted');
  for (const extra of [1, 4, 64]) assert.match(why(Uint8Array.from([...image, ...new Uint8Array(extra)])), /cut off/);
});

test('an untrusted table is rejected with its reason', () => {
  assert.match(why(new Uint8Array()), /cut off/);
  assert.match(why(new Uint8Array(4096)), /not a table/);
  assert.equal(
    readImage(image, { secret: new Uint8Array(8), checksum: crc32 }).ok,
    false,
    'a table that was made with another secret would never match',
  );
});

test('offsets outside of the table are rejected, even with a valid checksum', () => {
  const at = layOut(countsIn(headerOf(new Uint8Array(image).buffer as unknown as SharedArrayBuffer)));
  const forged = (place: number, value: number): string => {
    const bytes = new Uint8Array(new SharedArrayBuffer(image.length));
    bytes.set(image);
    const buffer = bytes.buffer as SharedArrayBuffer;
    new Int32Array(buffer)[place] = value;
    return why(tableImage(buffer, checks));
  };
  const counts = [
    'capacity',
    'slots',
    'filterWords',
    'oddWords',
    'named',
    'generic',
    'badfilters',
    'shortcuts',
    'textBytes',
  ] as const;
  for (const name of counts)
    for (const value of [-1, 0x7fffffff, 1_000_000]) assert.match(forged(HEADER[name], value), /do not fit/, name);
  assert.match(forged(at.recordsAt / 4, 1_000_000), /do not fit/, 'a slot');
  assert.match(forged(at.recordsAt / 4 + 1, -5), /do not fit/, 'the end of a text');
  assert.match(forged(at.shortcutsAt / 4 + 1, 0), /do not fit/, 'the rule of a gram');
  assert.equal(forged(HEADER.rules, 7), 'it is trusted', 'a number that leads nowhere');
});

test('any bytes are read without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 400 }), fc.nat(30), (bytes, keep) => {
      const mixed = Uint8Array.from([...image.slice(0, keep * 4), ...bytes]);
      assert.notEqual(why(mixed), 'it is trusted');
    }),
  );
});
