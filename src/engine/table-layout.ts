// A table in one buffer of 32-bit words in native byte order:
//
//   header
//   slots         sorted fingerprints of names with the kinds of their rules; some slots are empty
//   filter        Bloom filter with three bits per name; most missing names never reach a slot
//   odd           a bit per slot whose rule has another text form than its kind; empty if all are regular
//   records       two words per complex rule: its slot and the end of its text; those of one slot are adjacent
//   shortcuts     four bytes that a name must contain and the record that requires them; sorted
//   code ends     a word per wildcard or regular expression: the end of its code; wildcards have none
//   code          programs of the regular expressions, in 16-bit words
//   texts         texts of the complex rules

export const MAGIC = 0x52494557; // "WEIR" in the order of the machines we know
export const VERSION = 6;

/** Word indexes of the header. */
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
  /** Bit set of the label depths of the table's names; the last bit means all larger ones. */
  labelDepths: 16,
  /** Four bits per kind of domain rule: the text form of its first rule. */
  forms: 17,
  /** 1 if a name of the table may be the text of an address. */
  addresses: 18,
  /** 1 if hosts lines are answered with their address. */
  answering: 19,
  /** In 16-bit words. */
  codeLength: 20,
} as const;

const HEADER_BYTES = 88;
/** Offset of the slots. */
export const SLOTS_AT = HEADER_BYTES;
const WORD = 4;

/** In words. */
export const SLOT = 2;
export const RECORD = 2;
export const SHORTCUT_LENGTH = 2;

// The low four bits of a fingerprint are replaced: three bits for the kind of the domain rule, one that marks complex
// rules.
export const TAG = 15;
export const KIND = 7;
export const EMPTY = 0;
/** The name has complex rules only. */
export const ONLY_COMPLEX = 7;
export const COMPLEX = 8;

export type Counts = {
  /** Number of slots that fingerprints are scaled to. */
  readonly capacity: number;
  /** All slots: the last few take the overflow, and the very last is empty. */
  readonly slots: number;
  readonly filterWords: number;
  readonly oddWords: number;
  /** Complex rules with a name. */
  readonly named: number;
  /** Complex rules that cannot be looked up by name: wildcards and regular expressions. */
  readonly generic: number;
  /** Rules that disable rules in other lists of a profile. */
  readonly badfilters: number;
  readonly shortcuts: number;
  readonly codeLength: number;
  readonly textBytes: number;
};

/** Byte offset of each part. Derived from the counts, so that no offset can be wrong. */
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

/** Scales a word to a range by its top bits: needs neither a power of two nor a division. */
export const scaled = (word: number, places: number): number => ((word >>> 0) * (places / 0x1_0000_0000)) | 0;

/** Three bits of a filter word, taken from the bottom of the upper half; the top of the lower half selects the word. */
export const filterBits = (high: number): number => (1 << high) | (1 << (high >>> 5)) | (1 << (high >>> 10));

/** Shift from the lower half of a fingerprint to its filter word; the length is a power of two. */
export const filterShift = (words: number): number => Math.clz32(words) + 1;

export const levelBit = (labels: number): number => 1 << Math.min(labels, 31);
