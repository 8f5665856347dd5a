export function setBit(bits: usize, at: u32): void {
  const byte = bits + (at >>> 3);
  const bit: u32 = 1;
  store<u8>(byte, load<u8>(byte) | (bit << (at & 7)));
}

export function hasBit(bits: usize, at: u32): bool {
  const byte: u32 = load<u8>(bits + (at >>> 3));
  return ((byte >>> (at & 7)) & 1) !== 0;
}
