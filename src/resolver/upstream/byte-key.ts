/** Bytes as a map key: one character per byte. Not for display. */
export const byteKey = (bytes: Uint8Array, from = 0): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).toString('latin1');
