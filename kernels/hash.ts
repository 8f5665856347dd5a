import { end, get, hash, set, start } from './block';

export const SEED: u32 = 0x811c9dc5;

/** Computed from the last byte to the first, so that the hashes of all parent domains are intermediate results. */
export function hashByte(rest: u32, byte: u8): u32 {
  return (rest ^ byte) * 0x01000193;
}

export function hashBytes(from: usize, to: usize, rest: u32): u32 {
  let all = rest;
  for (let at = to; at > from; at--) all = hashByte(all, load<u8>(at - 1));
  return all;
}

export function hashOf(from: usize, to: usize): u32 {
  return hashBytes(from, to, SEED);
}

/** Hashes the lines of the block. */
export function hashLines(count: i32): void {
  for (let line = 0; line < count; line++) set(hash, line, hashOf(get(start, line), get(end, line)));
}

/** The low bits of the running hash are the weakest. */
export function spread(itsHash: u32): u32 {
  return itsHash ^ (itsHash >>> 15);
}
