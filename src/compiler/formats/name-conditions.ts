import { createText, type Text } from '../lines/text.ts';
import { type ByteTable, createByteTable, findOrAdd, hashBytes } from './byte-table.ts';

/**
 * The distinct lower-case names of a list, each with the highest rule priority for the name itself and the highest for its
 * subdomains.
 */
export type Names = {
  readonly text: Text;
  readonly table: ByteTable;
  count: number;
  start: Int32Array;
  end: Int32Array;
  self: Uint8Array;
  below: Uint8Array;
};

export function createNames(capacity: number): Names {
  return {
    text: createText(),
    table: createByteTable(capacity),
    count: 0,
    start: new Int32Array(capacity),
    end: new Int32Array(capacity),
    self: new Uint8Array(capacity),
    below: new Uint8Array(capacity),
  };
}

/** Index of the name at this offset; adds it if new. */
export function addName(names: Names, start: number, end: number): number {
  const { bytes } = names.text;
  const existing = findOrAdd(names.table, bytes, start, end, hashBytes(bytes, start, end));
  if (existing !== -1) return existing;
  if (names.count === names.start.length) grow(names);
  names.start[names.count] = start;
  names.end[names.count] = end;
  return names.count++;
}

function grow(names: Names): void {
  const capacity = names.count * 2;
  names.start = copyInto(new Int32Array(capacity), names.start);
  names.end = copyInto(new Int32Array(capacity), names.end);
  names.self = copyInto(new Uint8Array(capacity), names.self);
  names.below = copyInto(new Uint8Array(capacity), names.below);
}

/** Copies a column into a larger one. */
export function copyInto<Column extends Uint8Array | Int32Array>(larger: Column, column: Column): Column {
  larger.set(column);
  return larger;
}
