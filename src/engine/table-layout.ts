// A table in one buffer, all of it in 32-bit words of the machine's own order:
//
//   header
//   slots         the fingerprint of a name and what stands at it, sorted; some are empty
//   filter        three bits for each name, so that most names which are in no slot never touch a bucket
//   odd           a bit for each slot whose rule is not written like the others of its kind; none if all are
//   records       two words for each further rule: its slot and where its text ends; those of one slot side by side
//   grams         four letters that a name must hold, and the number of the record that asks for them; sorted
//   code ends     a word for each wildcard or expression: where its code ends; wildcards have none
//   code          of the expressions, in 16-bit words, one behind the other
//   texts         of the further rules, one behind the other

export const MAGIC = 0x52494557; // "WEIR" in the order of the machines we know
export const VERSION = 6;

/** Places of the header's words. */
export const HEADER = {
  magic: 0,
  version: 1,
  checksum: 2,
  secretHigh: 3,
  secretLow: 4,
  byteLength: 5,
  capacity: 6,
  slots: 7,
  filterWords: 8,
  oddWords: 9,
  named: 10,
  generic: 11,
  badfilters: 12,
  shortcuts: 13,
  textBytes: 14,
  rules: 15,
  /** A bit for each number of labels that names of the table have; the last stands for all larger ones. */
  levels: 16,
  /** Four bits for each kind of bare rule: how the first of them is written. */
  forms: 17,
  /** 1 when a name of the table may be the text of an address. */
  addresses: 18,
  /** 1 when lines of a hosts file are answered with their address. */
  answering: 19,
  /** In 16-bit words. */
  codeLength: 20,
} as const;

const HEADER_BYTES = 88;
/** Where slots begin, whatever follows them. */
export const SLOTS_AT = HEADER_BYTES;
const WORD = 4;

/** In words. */
export const SLOT = 2;
export const RECORD = 2;
export const SHORTCUT_LENGTH = 2;

// The last four bits of a fingerprint's lower word make room for what stands at the name: three bits for the kind of
// the bare rule, one that says whether there are further rules.
export const TAG = 15;
export const KIND = 7;
export const EMPTY = 0;
/** No bare rule stands at the name, only further ones. */
export const ONLY_MORE = 7;
export const MORE = 8;

export type Counts = {
  /** By which the place of a fingerprint is reckoned. */
  readonly capacity: number;
  /** All slots: the last few take what finds no place before them, and the very last is empty. */
  readonly slots: number;
  readonly filterWords: number;
  readonly oddWords: number;
  /** Further rules on a name. */
  readonly named: number;
  /** Further rules on what cannot be looked up: wildcards and expressions. */
  readonly generic: number;
  /** Rules that switch off others in other lists of a profile. */
  readonly badfilters: number;
  readonly shortcuts: number;
  readonly codeLength: number;
  readonly textBytes: number;
};

/** Where each part begins, in bytes. All follows from the counts, so that no offset can be wrong. */
export function layOut(counts: Counts) {
  const records = counts.named + counts.generic + counts.badfilters;
  const slotsAt = SLOTS_AT;
  const filterAt = slotsAt + counts.slots * SLOT * WORD;
  const oddAt = filterAt + counts.filterWords * WORD;
  const recordsAt = oddAt + counts.oddWords * WORD;
  const shortcutsAt = recordsAt + records * RECORD * WORD;
  const codeEndsAt = shortcutsAt + counts.shortcuts * SHORTCUT_LENGTH * WORD;
  const codeAt = codeEndsAt + counts.generic * WORD;
  const textsAt = codeAt + Math.ceil(counts.codeLength / 2) * WORD;
  const byteLength = textsAt + Math.ceil(counts.textBytes / WORD) * WORD;
  return { records, slotsAt, filterAt, oddAt, recordsAt, shortcutsAt, codeEndsAt, codeAt, textsAt, byteLength };
}

export const countsIn = (header: Int32Array): Counts => ({
  capacity: header[HEADER.capacity]!,
  slots: header[HEADER.slots]!,
  filterWords: header[HEADER.filterWords]!,
  oddWords: header[HEADER.oddWords]!,
  named: header[HEADER.named]!,
  generic: header[HEADER.generic]!,
  badfilters: header[HEADER.badfilters]!,
  shortcuts: header[HEADER.shortcuts]!,
  codeLength: header[HEADER.codeLength]!,
  textBytes: header[HEADER.textBytes]!,
});

export const headerOf = (buffer: SharedArrayBuffer): Int32Array => new Int32Array(buffer, 0, HEADER_BYTES / WORD);

/** A place among so many, chosen by the top bits of a word: no power of two is needed, and no division. */
export const scaled = (word: number, places: number): number => ((word >>> 0) * (places / 0x1_0000_0000)) | 0;

/** Three bits of a word of the filter, from the bottom of the upper half; the word is chosen by the top of the lower half. */
export const filterBits = (high: number): number => (1 << high) | (1 << (high >>> 5)) | (1 << (high >>> 10));

/** By which the lower half of a fingerprint is shifted to the word of a filter, whose length is a power of two. */
export const filterShift = (words: number): number => Math.clz32(words) + 1;

export const levelBit = (labels: number): number => 1 << Math.min(labels, 31);
