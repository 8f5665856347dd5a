/** The three rounds that end SipHash, from its state; stores the halves of what comes of it. */
// @ts-ignore: a decorator of the kernels' compiler
@inline
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
