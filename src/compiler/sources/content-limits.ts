const LF = 0x0a;
const CR = 0x0d;

export type Shortened = { readonly bytes: Uint8Array; readonly dropped: number };

/** Removes lines longer than `maxBytes` but keeps their line breaks, so that line numbers stay the same. */
export function dropLongLines(bytes: Uint8Array, maxBytes: number): Shortened {
  const chunks: Uint8Array[] = [];
  let dropped = 0;
  let keptTo = 0;
  let lineStart = 0;
  while (bytes.length - lineStart > maxBytes) {
    // Searching backwards from the limit skips all short lines before it.
    const lastBreak = lastBreakBefore(bytes, lineStart, lineStart + maxBytes + 1);
    if (lastBreak === -1) {
      chunks.push(bytes.subarray(keptTo, lineStart));
      keptTo = nextBreak(bytes, lineStart + maxBytes);
      dropped++;
    }
    lineStart = lastBreak === -1 ? keptTo : lastBreak + 1;
  }
  return dropped === 0 ? { bytes, dropped } : { bytes: concat([...chunks, bytes.subarray(keptTo)]), dropped };
}

function lastBreakBefore(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at >= start; at--) if (bytes[at] === LF || bytes[at] === CR) return at;
  return -1;
}

function nextBreak(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  return at;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Number of non-empty lines. */
export function countLines(bytes: Uint8Array): number {
  let count = 0;
  let isInLine = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    const isBreak = byte === LF || byte === CR;
    if (!isBreak && !isInLine) count++;
    isInLine = !isBreak;
  }
  return count;
}

/** Only white space, with or without a byte order mark. */
export function isBlankText(bytes: Uint8Array): boolean {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let at = start; at < bytes.length; at++) if (bytes[at]! > 0x20) return false;
  return true;
}
