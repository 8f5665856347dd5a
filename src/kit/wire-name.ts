const MAX_LABEL = 63;
const MAX_NAME = 255;
const DOT = 0x2e;
const BACKSLASH = 0x5c;

/** Wire format of a name in presentation format (`\.` and `\DDD` allowed); undefined if invalid. */
export function wireName(text: string): Uint8Array | undefined {
  if (text === '.') return new Uint8Array(1);
  const bytes = new Uint8Array(MAX_NAME);
  let label = 0;
  let end = 1;
  for (let at = 0; at < text.length; ) {
    if (text[at] === '.') {
      if (!closeLabel(bytes, label, end)) return undefined;
      label = end;
      at += 1;
    } else {
      const { byte, length } = readByte(text, at);
      if (!(byte <= 0xff) || end === MAX_NAME) return undefined;
      bytes[end] = byte;
      at += length;
    }
    end += 1;
  }
  const hasDotAtEnd = end === label + 1;
  if (!hasDotAtEnd && !closeLabel(bytes, label, end)) return undefined;
  return label === 0 && hasDotAtEnd ? undefined : bytes.slice(0, hasDotAtEnd ? end : end + 1);
}

/** The root byte must fit after the label. */
function closeLabel(bytes: Uint8Array, label: number, end: number): boolean {
  const length = end - label - 1;
  bytes[label] = length;
  return length > 0 && length <= MAX_LABEL && end < MAX_NAME;
}

/** One byte of a label and the number of characters it takes; NaN if invalid. */
function readByte(text: string, at: number): { readonly byte: number; readonly length: number } {
  if (text[at] !== '\\') return { byte: asciiAt(text, at), length: 1 };
  if (!/[0-9]/.test(text[at + 1] ?? '')) return { byte: asciiAt(text, at + 1), length: 2 };
  const decimal = text.slice(at + 1, at + 4);
  return { byte: /^[0-9]{3}$/.test(decimal) ? Number(decimal) : Number.NaN, length: 4 };
}

/** Non-ASCII characters are rejected: internationalised names must be in punycode. */
function asciiAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x80 ? code : Number.NaN;
}

/** Presentation format of a wire name, without a trailing dot; the root is `.`. Keeps case. */
export function nameText(bytes: Uint8Array, at: number): string {
  let text = '';
  for (let label = at; bytes[label]! > 0; label += bytes[label]! + 1) {
    if (label !== at) text += '.';
    for (let byte = label + 1; byte <= label + bytes[label]!; byte++) text += byteText(bytes[byte]!);
  }
  return text === '' ? '.' : text;
}

function byteText(byte: number): string {
  if (byte === DOT || byte === BACKSLASH) return `\\${String.fromCharCode(byte)}`;
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
}

/** Offset after the root byte of an uncompressed name. */
export function nameEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end]! > 0) end += bytes[end]! + 1;
  return end + 1;
}
