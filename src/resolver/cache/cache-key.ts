/**
 * A number for what tells one question from another besides its name: answers with signatures (DO) or without checks (CD) may differ, and
 * those of one group of upstreams are no answers of another. Allocates nothing.
 */
export const kindBits = (
  type: number,
  klass: number,
  isDnssecOk: boolean,
  isUnchecked: boolean,
  group: number,
): number =>
  (Math.imul(group, 0x9e3779b1) ^
    Math.imul(klass, 0x85ebca6b) ^
    (type | (isDnssecOk ? 0x10000 : 0) | (isUnchecked ? 0x20000 : 0))) |
  0;

// The halves of a name's fingerprint are keyed, so nobody outside can aim at a bucket; this only spreads the kinds of one name.
export const keyHigh = (nameHigh: number, kind: number): number => mix(nameHigh ^ Math.imul(kind, 0xc2b2ae35));
export const keyLow = (nameLow: number, kind: number): number => mix(nameLow + Math.imul(kind, 0x27d4eb2f)) | 0;

function mix(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
