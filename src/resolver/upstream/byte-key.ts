/** Bytes as a key for maps: one character a byte. Not for people. */
export const byteKey = (bytes: Uint8Array, from = 0): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).toString('latin1');
