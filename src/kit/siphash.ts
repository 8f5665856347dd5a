// SipHash-2-4 (Aumasson and Bernstein, 2012). 64-bit words are pairs of 32-bit halves, because
// BigInt would allocate at every step. Two rounds per block, four at the end.
const ROUNDS_A_BLOCK = 2;
const ROUNDS_AT_END = 4;

/** 64-bit keyed hash as eight little-endian bytes. The key has 16 bytes. */
export function sipHash(key: Uint8Array, bytes: Uint8Array, at: number, length: number, into: Uint8Array): void {
  const k0l = word(key, 0, 16);
  const k0h = word(key, 4, 16);
  const k1l = word(key, 8, 16);
  const k1h = word(key, 12, 16);
  let v0h = k0h ^ 0x736f6d65;
  let v0l = k0l ^ 0x70736575;
  let v1h = k1h ^ 0x646f7261;
  let v1l = k1l ^ 0x6e646f6d;
  let v2h = k0h ^ 0x6c796765;
  let v2l = k0l ^ 0x6e657261;
  let v3h = k1h ^ 0x74656462;
  let v3l = k1l ^ 0x79746573;

  const end = at + length;
  const blocks = (length >>> 3) + 1;
  for (let block = 0; block <= blocks; block++) {
    const isEnd = block === blocks;
    const from = at + block * 8;
    const low = isEnd ? 0 : word(bytes, from, end);
    const high = isEnd ? 0 : word(bytes, from + 4, end) | (block === blocks - 1 ? length << 24 : 0);
    v3h ^= high;
    v3l ^= low;
    if (isEnd) v2l ^= 0xff;
    for (let round = isEnd ? ROUNDS_AT_END : ROUNDS_A_BLOCK; round > 0; round--) {
      let sum = (v0l >>> 0) + (v1l >>> 0);
      v0h = (v0h + v1h + (sum > 0xffffffff ? 1 : 0)) | 0;
      v0l = sum | 0;
      let turned = (v1h << 13) | (v1l >>> 19);
      v1l = ((v1l << 13) | (v1h >>> 19)) ^ v0l;
      v1h = turned ^ v0h;
      turned = v0h;
      v0h = v0l;
      v0l = turned;

      sum = (v2l >>> 0) + (v3l >>> 0);
      v2h = (v2h + v3h + (sum > 0xffffffff ? 1 : 0)) | 0;
      v2l = sum | 0;
      turned = (v3h << 16) | (v3l >>> 16);
      v3l = ((v3l << 16) | (v3h >>> 16)) ^ v2l;
      v3h = turned ^ v2h;

      sum = (v0l >>> 0) + (v3l >>> 0);
      v0h = (v0h + v3h + (sum > 0xffffffff ? 1 : 0)) | 0;
      v0l = sum | 0;
      turned = (v3h << 21) | (v3l >>> 11);
      v3l = ((v3l << 21) | (v3h >>> 11)) ^ v0l;
      v3h = turned ^ v0h;

      sum = (v2l >>> 0) + (v1l >>> 0);
      v2h = (v2h + v1h + (sum > 0xffffffff ? 1 : 0)) | 0;
      v2l = sum | 0;
      turned = (v1h << 17) | (v1l >>> 15);
      v1l = ((v1l << 17) | (v1h >>> 15)) ^ v2l;
      v1h = turned ^ v2h;
      turned = v2h;
      v2h = v2l;
      v2l = turned;
    }
    v0h ^= high;
    v0l ^= low;
  }
  writeWord(into, 0, v0l ^ v1l ^ v2l ^ v3l);
  writeWord(into, 4, v0h ^ v1h ^ v2h ^ v3h);
}

/** Little-endian uint32; bytes beyond the end read as 0. */
function word(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let i = Math.min(3, end - at - 1); i >= 0; i--) value = (value << 8) | bytes[at + i]!;
  return value;
}

function writeWord(into: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) into[at + i] = value >>> (8 * i);
}
