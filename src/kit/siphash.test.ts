import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hexOf } from '../../test/support/dns/packets.ts';
import { sipHash } from './siphash.ts';

test('hashes are those of the reference implementation', () => {
  // Key 00 01 … 0f, message 00 01 … of each length.
  const expected: Readonly<Record<number, string>> = {
    0: '310e0edd47db6f72',
    1: 'fd67dc93c539f874',
    7: '37d1018bf50002ab',
    8: '6224939a79f5f593',
    15: 'e545be4961ca29a1',
    16: 'db9bc2577fcc2a3f',
    63: '724506eb4c328a95',
  };
  const counting = Uint8Array.from({ length: 100 }, (_, i) => i);
  const from = 20;
  const shifted = counting.map((i) => i - from);
  for (const [length, hash] of Object.entries(expected)) {
    const into = new Uint8Array(10);
    sipHash(counting, counting, 0, Number(length), into.subarray(1));
    assert.equal(hexOf(into), `00${hash}00`);
    sipHash(counting, shifted, from, Number(length), into.subarray(1));
    assert.equal(hexOf(into), `00${hash}00`, 'elsewhere in an array, with other bytes around');
  }
});
