// Columns of a block of lines at fixed addresses: the caller copies the lines in and the results out. The text follows.

export const BLOCK = 4096;

export const start = memory.data(BLOCK * 4, 16);
export const end = memory.data(BLOCK * 4, 16);
export const source = memory.data(BLOCK * 4, 16);
export const number = memory.data(BLOCK * 4, 16);
export const nameStart = memory.data(BLOCK * 4, 16);
export const nameEnd = memory.data(BLOCK * 4, 16);
export const hash = memory.data(BLOCK * 4, 16);
export const traits = memory.data(BLOCK, 16);
export const clear = memory.data(BLOCK, 16);
export const dropped = memory.data(BLOCK, 16);

/** Per line the value of the entry found in the table, or -1. */
export const found = memory.data(BLOCK * 4, 16);

/** Picked lines, by index in the whole list. */
export const picked = memory.data(BLOCK * 4, 16);
let pickedCount = 0;

export function get(column: usize, at: i32): usize {
  return load<u32>(column + ((<usize>at) << 2));
}

export function set(column: usize, at: i32, value: usize): void {
  store<u32>(column + ((<usize>at) << 2), value);
}

export function pickNone(): void {
  pickedCount = 0;
}

export function pick(line: i32): void {
  set(picked, pickedCount++, line);
}

export function countPicked(): i32 {
  return pickedCount;
}

/** Total bytes of the block's lines. */
export function totalLength(count: i32): usize {
  let length: usize = 0;
  for (let at = 0; at < count; at++) length += get(end, at) - get(start, at);
  return length;
}
