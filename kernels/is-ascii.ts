import { VECTOR } from './bytes';

export function isAscii(from: usize, to: usize): bool {
  let at = from;
  for (; at + VECTOR <= to; at += VECTOR) if (i8x16.bitmask(v128.load(at)) !== 0) return false;
  for (; at < to; at++) if (load<u8>(at) >= 0x80) return false;
  return true;
}
