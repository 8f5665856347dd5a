// The lines that a kernel works on lie in columns at fixed places: the caller copies a block of them in and takes the
// outcome from there. The text that they point into lies behind.

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

/** What came of each: the value of the entry that stood in the table, or -1. */
export const found = memory.data(BLOCK * 4, 16);

/** The lines worth a closer look, by their place in the whole list. */
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

/** How many bytes the lines of the block have together. */
export function totalLength(count: i32): usize {
  let length: usize = 0;
  for (let at = 0; at < count; at++) length += get(end, at) - get(start, at);
  return length;
}
