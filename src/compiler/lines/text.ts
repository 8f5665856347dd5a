/** UTF-8 in one growing buffer, addressed by offset pairs, so that most lines are never converted to strings. */
export type Text = {
  bytes: Uint8Array;
  length: number;
  /** Ensures a minimum length of `bytes`. */
  grow(needed: number): void;
};

// Offsets fit into a signed 31-bit integer, which V8 stores without allocation.
const MAX_LENGTH = 2 ** 31 - 2 ** 16;

// Grows generously, because copying costs more than unused memory.
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

/** Reserves `extra` bytes. References to `text.bytes` must be read again afterwards. */
export function reserve(text: Text, extra: number): Uint8Array {
  const needed = text.length + extra;
  if (needed > MAX_LENGTH) throw new RangeError('the sources together are larger than 2 GiB');
  if (needed > text.bytes.length) text.grow(needed);
  return text.bytes;
}

/** Appends bytes and returns their offset. */
export function append(text: Text, bytes: Uint8Array): number {
  const at = text.length;
  reserve(text, bytes.length).set(bytes, at);
  text.length += bytes.length;
  return at;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Appends a string and returns its offset. */
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
