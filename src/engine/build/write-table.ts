import type { RegexCode } from '../../rules/regex/regex-code.ts';
import type { HashKey } from '../name-keys.ts';
import { IRREGULAR_TEXT, type NameSlots, usedSlots } from '../name-slots.ts';
import { secretCheck } from '../secret-check.ts';
import {
  type Counts,
  EMPTY,
  filterBits,
  filterShift,
  HEADER,
  headerOf,
  KIND,
  layOut,
  MAGIC,
  RECORD,
  SHORTCUT_LENGTH,
  SLOT,
  VERSION,
} from '../table-layout.ts';
import type { Draft } from './collect-rules.ts';
import { trimmed } from './growable-memory.ts';
import type { Generic, NamedDraft, ShortcutEntry } from './index-generic.ts';

export type TableParts = {
  readonly table: NameSlots;
  readonly named: readonly NamedDraft[];
  readonly generic: Generic;
  readonly badfilters: readonly Draft[];
  readonly key: HashKey;
  readonly labelDepths: number;
  readonly forms: number;
  readonly hasAddresses: boolean;
  readonly answering: boolean;
  readonly report: { readonly rules: number };
};

/** Slot number of rules without a name. */
const NO_SLOT = -1;
// The filter should stay in the CPU cache; a false positive costs less than a cache miss.
const MOST_FILTER_BITS_A_NAME = 14;

/** Completes the buffer that already contains the slots. */
export function writeTable(parts: TableParts): { readonly buffer: SharedArrayBuffer; readonly lines: Uint32Array } {
  const { table, named, generic, badfilters } = parts;
  const records = [...named, ...generic.rules.map(withoutSlot), ...badfilters.map(withoutSlot)];
  const texts = records.map(({ text }) => new TextEncoder().encode(text));
  const slots = usedSlots(table);
  const lines = table.lines.subarray(0, slots);
  const odd = takeIrregular(lines);
  const counts: Counts = {
    capacity: table.capacity,
    slots,
    filterWords: filterWordsFor(table.names),
    oddWords: odd.length,
    named: named.length,
    generic: generic.rules.length,
    badfilters: badfilters.length,
    shortcuts: generic.shortcuts.length,
    codeLength: generic.code.reduce((sum, { length }) => sum + length, 0),
    textBytes: texts.reduce((sum, { length }) => sum + length, 0),
  };
  const at = layOut(counts);
  const buffer = trimmed(table.buffer, at.byteLength);
  writeHeader(headerOf(buffer), parts, counts, buffer.byteLength);
  fillFilter(
    new Int32Array(buffer, at.filterAt, counts.filterWords),
    new Int32Array(buffer, at.slotsAt, counts.slots * SLOT),
  );
  new Int32Array(buffer, at.oddAt, counts.oddWords).set(odd);
  writeRecords(new Int32Array(buffer, at.recordsAt, records.length * RECORD), records, texts);
  writeShortcuts(new Int32Array(buffer, at.shortcutsAt, counts.shortcuts * SHORTCUT_LENGTH), generic.shortcuts);
  writeCode(
    new Int32Array(buffer, at.codeEndsAt, counts.generic),
    new Uint16Array(buffer, at.codeAt, counts.codeLength),
    generic.code,
  );
  writeTexts(new Uint8Array(buffer, at.textsAt, counts.textBytes), texts);
  return { buffer, lines };
}

/** One bit per slot with an irregular text, whose mark is removed; empty without such slots. */
function takeIrregular(lines: Uint32Array): Int32Array {
  const odd = new Int32Array(Math.ceil(lines.length / 32));
  let count = 0;
  for (let slot = 0; slot < lines.length; slot++) {
    if (lines[slot]! < IRREGULAR_TEXT) continue;
    lines[slot]! -= IRREGULAR_TEXT;
    odd[slot >>> 5]! |= 1 << (slot & 31);
    count += 1;
  }
  return count === 0 ? new Int32Array() : odd;
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
    rules: parts.report.rules,
    labelDepths: parts.labelDepths,
    forms: parts.forms,
    addresses: parts.hasAddresses ? 1 : 0,
    answering: parts.answering ? 1 : 0,
  };
  for (const [name, value] of Object.entries(words)) header[HEADER[name as keyof typeof words]] = value;
}

const filterWordsFor = (names: number): number =>
  2 ** Math.max(1, Math.floor(Math.log2((names * MOST_FILTER_BITS_A_NAME) / 32)));

function fillFilter(filter: Int32Array, slots: Int32Array): void {
  const shift = filterShift(filter.length);
  for (let at = 0; at < slots.length; at += SLOT) {
    const lower = slots[at + 1]!;
    if ((lower & KIND) !== EMPTY) filter[lower >>> shift]! |= filterBits(slots[at]!);
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

function writeShortcuts(words: Int32Array, shortcuts: readonly ShortcutEntry[]): void {
  for (const [nth, entry] of shortcuts.entries()) words.set(entry, nth * SHORTCUT_LENGTH);
}

function writeTexts(bytes: Uint8Array, texts: readonly Uint8Array[]): void {
  let end = 0;
  for (const text of texts) {
    bytes.set(text, end);
    end += text.length;
  }
}

function writeCode(ends: Int32Array, words: Uint16Array, code: readonly RegexCode[]): void {
  let end = 0;
  for (const [nth, regexCode] of code.entries()) {
    words.set(regexCode, end);
    end += regexCode.length;
    ends[nth] = end;
  }
}
