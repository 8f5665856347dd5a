import type { Draft } from './collect-rules.ts';
import { type GramEntry, indexGeneric } from './index-generic.ts';
import type { HashKey } from './name-keys.ts';
import type { Placed } from './place-names.ts';
import { secretCheck } from './secret-check.ts';
import {
  type Counts,
  EMPTY,
  filterBits,
  GRAM,
  HEADER,
  headerOf,
  KIND,
  layOut,
  MAGIC,
  RECORD,
  SLOT,
  scaled,
  TAG,
  VERSION,
} from './table-layout.ts';

export type TableParts = {
  readonly placed: Placed;
  /** In the order of their slots, those of one slot in the order of their lines. */
  readonly named: readonly (Draft & { readonly slot: number })[];
  readonly generic: readonly Draft[];
  readonly badfilters: readonly Draft[];
  readonly key: HashKey;
  readonly levels: number;
  readonly forms: number;
  readonly hasAddresses: boolean;
  readonly answering: boolean;
  readonly rules: number;
  /** The whole list, to know which letters are rare in it. */
  readonly text: Uint8Array;
};

/** Of rules that stand at no name. */
export const NO_SLOT = -1;
// Small enough to stay in the cache of a core next to its neighbours; a false step of the filter costs less than to miss it.
const FILTER_BITS_A_NAME = 8;

export function writeTable(parts: TableParts): SharedArrayBuffer {
  const { placed, named, generic, badfilters } = parts;
  const records = [...named, ...generic.map(withoutSlot), ...badfilters.map(withoutSlot)];
  const texts = records.map(({ text }) => new TextEncoder().encode(text));
  const grams = indexGeneric(
    generic.map(({ rule }) => rule),
    named.length,
    parts.text,
  );
  const counts: Counts = {
    capacity: placed.capacity,
    slots: placed.lines.length,
    filterWords: filterWordsFor(placed.names),
    oddWords: placed.oddCount === 0 ? 0 : placed.odd.length,
    named: named.length,
    generic: generic.length,
    badfilters: badfilters.length,
    grams: grams.length,
    textBytes: texts.reduce((sum, { length }) => sum + length, 0),
  };
  const at = layOut(counts);
  const buffer = new SharedArrayBuffer(at.byteLength);
  writeHeader(headerOf(buffer), parts, counts, buffer.byteLength);
  new Int32Array(buffer, at.slotsAt, counts.slots * SLOT).set(placed.slots);
  fillFilter(new Int32Array(buffer, at.filterAt, counts.filterWords), placed.slots);
  if (counts.oddWords > 0) new Int32Array(buffer, at.oddAt, counts.oddWords).set(placed.odd);
  writeRecords(new Int32Array(buffer, at.recordsAt, records.length * RECORD), records, texts);
  writeGrams(new Int32Array(buffer, at.gramsAt, counts.grams * GRAM), grams);
  writeTexts(new Uint8Array(buffer, at.textsAt, counts.textBytes), texts);
  return buffer;
}

const withoutSlot = (draft: Draft) => ({ ...draft, slot: NO_SLOT });

function writeHeader(header: Int32Array, parts: TableParts, counts: Counts, byteLength: number): void {
  const check = secretCheck(parts.key);
  const words = {
    ...counts,
    magic: MAGIC,
    version: VERSION,
    secretHigh: check.high,
    secretLow: check.low,
    byteLength,
    rules: parts.rules,
    levels: parts.levels,
    forms: parts.forms,
    addresses: parts.hasAddresses ? 1 : 0,
    answering: parts.answering ? 1 : 0,
  };
  for (const [name, value] of Object.entries(words)) header[HEADER[name as keyof typeof words]] = value;
}

const filterWordsFor = (names: number): number => Math.ceil((names * FILTER_BITS_A_NAME) / 32) + 1;

function fillFilter(filter: Int32Array, slots: Int32Array): void {
  for (let at = 0; at < slots.length; at += SLOT) {
    const lower = slots[at + 1]!;
    if ((lower & KIND) !== EMPTY) filter[scaled(lower & ~TAG, filter.length)]! |= filterBits(slots[at]!);
  }
}

function writeRecords(words: Int32Array, records: readonly { slot: number }[], texts: readonly Uint8Array[]): void {
  let end = 0;
  for (const [number, { slot }] of records.entries()) {
    end += texts[number]!.length;
    words[number * RECORD] = slot;
    words[number * RECORD + 1] = end;
  }
}

function writeGrams(words: Int32Array, grams: readonly GramEntry[]): void {
  for (const [nth, entry] of grams.entries()) words.set(entry, nth * GRAM);
}

function writeTexts(bytes: Uint8Array, texts: readonly Uint8Array[]): void {
  let end = 0;
  for (const text of texts) {
    bytes.set(text, end);
    end += text.length;
  }
}
