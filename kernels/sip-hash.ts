// The hash of names is SipHash with one round a word and three at the end, keyed by the secret of the installation. The round is
// written out where it is used: a function could return only one of the four numbers.

export const START_0: u64 = ((<u64>0x736f6d65) << 32) | 0x70736575;
export const START_1: u64 = ((<u64>0x646f7261) << 32) | 0x6e646f6d;
export const START_2: u64 = ((<u64>0x6c796765) << 32) | 0x6e657261;
export const START_3: u64 = ((<u64>0x74656462) << 32) | 0x79746573;

/** The three rounds at the end, from the state that all words have left; stores the halves of what comes of it. */
export function storeHash(high: usize, low: usize, a: u64, b: u64, c: u64, d: u64): void {
  let v0 = a;
  let v1 = b;
  let v2 = c ^ 0xff;
  let v3 = d;
  for (let round = 0; round < 3; round++) {
    v0 += v1;
    v2 += v3;
    v1 = rotl(v1, 13) ^ v0;
    v3 = rotl(v3, 16) ^ v2;
    v0 = rotl(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = rotl(v1, 17) ^ v2;
    v3 = rotl(v3, 21) ^ v0;
    v2 = rotl(v2, 32);
  }
  const all = v0 ^ v1 ^ v2 ^ v3;
  store<u32>(high, <u32>(all >>> 32));
  store<u32>(low, <u32>all);
}
