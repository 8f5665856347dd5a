export const LF: u8 = 0x0a;
export const CR: u8 = 0x0d;
export const SPACE: u8 = 0x20;
export const BANG: u8 = 0x21;
export const HASH: u8 = 0x23;
export const DOLLAR: u8 = 0x24;
export const ASTERISK: u8 = 0x2a;
export const DASH: u8 = 0x2d;
export const DOT: u8 = 0x2e;
export const CARET: u8 = 0x5e;
export const UNDERSCORE: u8 = 0x5f;
export const BAR: u8 = 0x7c;

export const VECTOR: usize = 16;

/** Bit mask of the vector's bytes before the limit. The text is followed by space for one vector. */
export function upTo(at: usize, limit: u8): i32 {
  return i8x16.bitmask(i8x16.le_u(v128.load(at), i8x16.splat(limit)));
}

/** Copies whole vectors; overwrites up to fifteen bytes after the target. */
export function copyVectors(to: usize, from: usize, length: usize): void {
  for (let at: usize = 0; at < length; at += VECTOR) v128.store(to + at, v128.load(from + at));
}

export function sameBytes(one: usize, other: usize, length: usize): bool {
  let at: usize = 0;
  for (; at + 8 <= length; at += 8) if (load<u64>(one + at) !== load<u64>(other + at)) return false;
  for (; at < length; at++) if (load<u8>(one + at) !== load<u8>(other + at)) return false;
  return true;
}
