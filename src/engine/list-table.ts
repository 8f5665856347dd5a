import { type AutomatonHolder, createHolder } from '../rules/regex/regex-runner.ts';
import type { ComplexRule } from './build/complex-rules.ts';
import {
  countsIn,
  EMPTY,
  HEADER,
  headerOf,
  KIND,
  layOut,
  RECORD,
  SHORTCUT_LENGTH,
  SLOT,
  scaled,
  TAG,
} from './table-layout.ts';

/** One list's table in one thread: views of shared memory, and the rules parsed so far. */
export type ListTable = {
  readonly id: string;
  readonly buffer: SharedArrayBuffer;
  /** Number of distinct rules. */
  readonly rules: number;
  readonly capacity: number;
  readonly slots: Int32Array;
  readonly filter: Int32Array;
  readonly odd: Int32Array;
  readonly records: Int32Array;
  readonly named: number;
  readonly generic: number;
  readonly badfilters: number;
  readonly shortcuts: Int32Array;
  readonly codeEnds: Int32Array;
  readonly code: Uint16Array;
  readonly texts: Uint8Array;
  readonly labelDepths: number;
  readonly forms: number;
  readonly hasAddresses: boolean;
  readonly answering: boolean;
  /** Check value of the installation's secret; tables of different secrets must not be mixed. */
  readonly secretCheck: number;
  /** Filled on demand. */
  readonly parsed: (ComplexRule | undefined)[];
  /** Automaton states cached by this thread. */
  readonly automata: AutomatonHolder;
};

/** The line of the list's text for a slot. Texts are in a file beside the table, not in memory. */
export type ReadLine = (list: ListTable, slot: number) => string;

/** `account` is the owner of the rules, who is charged for their automata; undefined for tables of the operator. */
export function openTable(id: string, buffer: SharedArrayBuffer, account?: string): ListTable {
  const header = headerOf(buffer);
  const counts = countsIn(header);
  const at = layOut(counts);
  return {
    id,
    buffer,
    rules: header[HEADER.rules]!,
    capacity: counts.capacity,
    slots: new Int32Array(buffer, at.slotsAt, counts.slots * SLOT),
    filter: new Int32Array(buffer, at.filterAt, counts.filterWords),
    odd: new Int32Array(buffer, at.oddAt, counts.oddWords),
    records: new Int32Array(buffer, at.recordsAt, at.records * RECORD),
    named: counts.named,
    generic: counts.generic,
    badfilters: counts.badfilters,
    shortcuts: new Int32Array(buffer, at.shortcutsAt, counts.shortcuts * SHORTCUT_LENGTH),
    codeEnds: new Int32Array(buffer, at.codeEndsAt, counts.generic),
    code: new Uint16Array(buffer, at.codeAt, counts.codeLength),
    texts: new Uint8Array(buffer, at.textsAt, counts.textBytes),
    labelDepths: header[HEADER.labelDepths]!,
    forms: header[HEADER.forms]!,
    hasAddresses: header[HEADER.addresses] === 1,
    answering: header[HEADER.answering] === 1,
    secretCheck: header[HEADER.secretHigh]!,
    parsed: [],
    automata: createHolder(account),
  };
}

/** The slot of a name, or -1. Slots are sorted, and the last one is empty. */
export function findSlot(
  { slots, capacity }: Pick<ListTable, 'slots' | 'capacity'>,
  high: number,
  low: number,
): number {
  for (let at = scaled(high, capacity) * SLOT; ; at += SLOT) {
    const upper = slots[at]!;
    const lower = slots[at + 1]!;
    if (upper === high && ((lower ^ low) & ~TAG) === 0) return at >>> 1;
    if ((lower & KIND) === EMPTY || upper >>> 0 > high >>> 0) return -1;
  }
}

export const tagAt = (table: ListTable, slot: number): number => table.slots[slot * SLOT + 1]! & TAG;
