/** UTF-8 in one growing buffer. What stands in it is told by pairs of offsets, and most of it never becomes a string. */
export type Text = {
  bytes: Uint8Array;
  length: number;
  /** Makes `bytes` so long, or longer. */
  grow(needed: number): void;
};

// Offsets are signed: larger numbers would not be small integers to the engine, and slow.
const MAX_LENGTH = 2 ** 31 - 2 ** 16;

// To copy costs more than to reserve what is perhaps never written.
const GROWTH = 4;

export const createText = (capacity = 2 ** 12): Text => ({
  bytes: new Uint8Array(capacity),
  length: 0,
  grow(needed) {
    const grown = new Uint8Array(Math.min(Math.max(needed, this.bytes.length * GROWTH), MAX_LENGTH));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  },
});

/** Makes room for `extra` bytes. Whoever holds `text.bytes` must read it again afterwards. */
export function reserve(text: Text, extra: number): Uint8Array {
  const needed = text.length + extra;
  if (needed > MAX_LENGTH) throw new RangeError('the sources together are larger than 2 GiB');
  if (needed > text.bytes.length) text.grow(needed);
  return text.bytes;
}

/** Adds bytes at the end and says where they begin. */
export function append(text: Text, bytes: Uint8Array): number {
  const at = text.length;
  reserve(text, bytes.length).set(bytes, at);
  text.length += bytes.length;
  return at;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Adds a string at the end and says where it begins. */
export function appendString(text: Text, string: string): number {
  const at = text.length;
  const bytes = reserve(text, string.length * 3);
  text.length += encoder.encodeInto(string, bytes.subarray(at)).written;
  return at;
}

export const decode = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end));

export function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! >= 0x80) return false;
  return true;
}
