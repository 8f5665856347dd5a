import { scaled, TAG } from './table-layout.ts';

/** Words of a record: the two halves of a fingerprint, the lower with a tag in its last bits, and what it belongs to. */
export const RECORD_WORDS = 3;

/** Records in the order of their fingerprints as unsigned numbers, equal ones in the order in which they came. */
export function sortRecords(records: Int32Array, count: number): Int32Array {
  const sorted = roughlySorted(records, count);
  // Fingerprints are spread evenly, so that each record is but few places from its own.
  for (let nth = 1; nth < count; nth++) {
    for (let at = nth; at > 0 && isBefore(sorted, at, at - 1); at--) exchange(sorted, at, at - 1);
  }
  return sorted;
}

/** Counts how many records begin with the same bits, and so knows where those with the next begin. */
function roughlySorted(records: Int32Array, count: number): Int32Array {
  const next = new Uint32Array(count + 1);
  for (let nth = 0; nth < count; nth++) next[scaled(records[nth * RECORD_WORDS]!, count) + 1]! += 1;
  for (let place = 1; place <= count; place++) next[place]! += next[place - 1]!;
  const sorted = new Int32Array(count * RECORD_WORDS);
  for (let nth = 0; nth < count; nth++) {
    const from = nth * RECORD_WORDS;
    const place = scaled(records[from]!, count);
    const to = next[place]! * RECORD_WORDS;
    next[place]! += 1;
    for (let word = 0; word < RECORD_WORDS; word++) sorted[to + word] = records[from + word]!;
  }
  return sorted;
}

function isBefore(records: Int32Array, one: number, other: number): boolean {
  const high = records[one * RECORD_WORDS]! >>> 0;
  const otherHigh = records[other * RECORD_WORDS]! >>> 0;
  if (high !== otherHigh) return high < otherHigh;
  return (records[one * RECORD_WORDS + 1]! & ~TAG) >>> 0 < (records[other * RECORD_WORDS + 1]! & ~TAG) >>> 0;
}

function exchange(records: Int32Array, one: number, other: number): void {
  for (let word = 0; word < RECORD_WORDS; word++) {
    const kept = records[one * RECORD_WORDS + word]!;
    records[one * RECORD_WORDS + word] = records[other * RECORD_WORDS + word]!;
    records[other * RECORD_WORDS + word] = kept;
  }
}
