export type CacheQuestion = {
  readonly type: number;
  readonly class: number;
  readonly dnssecOk: boolean;
  readonly checkingDisabled: boolean;
};

/**
 * Hash of everything except the name that distinguishes cache entries: answers with signatures (DO) or without validation (CD) may
 * differ, and upstream groups do not share answers. Allocates nothing.
 */
export const kindBits = (question: CacheQuestion, group: number): number =>
  (Math.imul(group, 0x9e3779b1) ^
    Math.imul(question.class, 0x85ebca6b) ^
    (question.type | (question.dnssecOk ? 0x10000 : 0) | (question.checkingDisabled ? 0x20000 : 0))) |
  0;

const ALL_TYPES = 0x40000;

/** Hash for answers that apply to all types of the name. */
export const kindOfAllTypes = (kind: number, { type }: CacheQuestion): number => kind ^ type ^ ALL_TYPES;

// Name fingerprints are keyed, so an attacker cannot choose a bucket; this only spreads the question kinds of one name.
export const keyHigh = (nameHigh: number, kind: number): number => mix(nameHigh ^ Math.imul(kind, 0xc2b2ae35));
export const keyLow = (nameLow: number, kind: number): number => mix(nameLow + Math.imul(kind, 0x27d4eb2f)) | 0;

function mix(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
