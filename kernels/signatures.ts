// The signature of a line combines its length, first and last bytes. Equal lines have equal signatures and different lines
// rarely do: lines with a unique signature need no comparison.

import { hasBit, setBit } from './bits';
import { clear, countPicked, end, get, pick, pickNone, start } from './block';

const BITS = 18;
const signed = memory.data((1 << BITS) / 8, 16);

export function clearBloom(): void {
  memory.fill(signed, 0, (1 << BITS) / 8);
}

/** Records and counts the signatures of unmarked lines. */
export function addUnnormalized(count: i32): i32 {
  let unnormalized = 0;
  for (let line = 0; line < count; line++) {
    if (load<u8>(clear + line) === 1) continue;
    unnormalized++;
    setBit(signed, signature(get(start, line), get(end, line)));
  }
  return unnormalized;
}

export function pickInBloom(count: i32, first: i32): i32 {
  pickNone();
  for (let line = 0; line < count; line++) {
    if (hasBit(signed, signature(get(start, line), get(end, line)))) pick(first + line);
  }
  return countPicked();
}

const MIX: u64 = 0x1d8e4e27c47d13;

function signature(from: usize, to: usize): u32 {
  let mixed = <u64>(to - from) * MIX;
  if (to - from >= 8) {
    mixed = (mixed ^ load<u64>(from)) * MIX;
    mixed = (mixed ^ (mixed >>> 29) ^ load<u64>(to - 8)) * MIX;
  } else {
    for (let at = from; at < to; at++) mixed = (mixed ^ load<u8>(at)) * MIX;
  }
  return <u32>(mixed >>> (64 - BITS));
}
