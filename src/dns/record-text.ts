import { addressText } from '../kit/address-text.ts';
import { typeName } from '../kit/dns-numbers.ts';
import { nameText } from '../kit/wire-name.ts';
import { readUint16, readUint32 } from './bytes.ts';
import { type Field, fieldEnd, shapeOf } from './record-shapes.ts';
import { serviceParametersText } from './service-binding-text.ts';
import { base32hex, base64, hex, quoted } from './text-encodings.ts';
import { wholeNameEnd } from './wire-names.ts';

/** RDATA in presentation format; generic format (RFC 3597, 5) for unknown types and malformed data. */
export function recordText(type: number, data: Uint8Array): string {
  const texts: string[] = [];
  let at = 0;
  for (const field of shapeOf(type)?.fields ?? []) {
    const end = field === 'name' ? wholeNameEnd(data, at, data.length) : fieldEnd(field, data, at, data.length);
    const text = end < at || end > data.length ? undefined : writers[field](data.subarray(at, end));
    if (text === undefined) return unknownText(data);
    if (text !== '') texts.push(text);
    at = end;
  }
  return at === data.length && at > 0 ? texts.join(' ') : unknownText(data);
}

const unknownText = (data: Uint8Array): string =>
  data.length === 0 ? String.raw`\# 0` : String.raw`\# ${data.length} ${hex(data)}`;

const behindLength = (bytes: Uint8Array): Uint8Array => bytes.subarray(1);

const writers: Readonly<Record<Field, (bytes: Uint8Array) => string | undefined>> = {
  byte: (bytes) => String(bytes[0]),
  short: (bytes) => String(readUint16(bytes, 0)),
  long: (bytes) => String(readUint32(bytes, 0)),
  time: timeText,
  type: (bytes) => typeName(readUint16(bytes, 0)),
  ipv4: addressText,
  ipv6: addressText,
  name: (bytes) => (bytes.length === 1 ? '.' : `${nameText(bytes, 0)}.`),
  string: (bytes) => quoted(behindLength(bytes)),
  'short hex': (bytes) => hex(behindLength(bytes)) || '-',
  'short base32': (bytes) => base32hex(behindLength(bytes)),
  tag: (bytes) => {
    const tag = String.fromCharCode(...behindLength(bytes));
    return /^[a-z0-9]+$/i.test(tag) ? tag : undefined;
  },
  strings: stringsText,
  hex,
  base64,
  types: typesText,
  text: quoted,
  parameters: serviceParametersText,
};

/** `20261115123000`, in UTC (RFC 4034, 3.2). */
function timeText(bytes: Uint8Array): string {
  return new Date(readUint32(bytes, 0) * 1000).toISOString().slice(0, 19).replace(/\D/g, '');
}

function stringsText(bytes: Uint8Array): string | undefined {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + bytes[at]!;
    if (end > bytes.length) return undefined;
    texts.push(quoted(bytes.subarray(at + 1, end)));
    at = end;
  }
  return texts.length > 0 ? texts.join(' ') : undefined;
}

/** Type bitmap in windows of 256 (RFC 4034, 4.1.2). */
function typesText(bytes: Uint8Array): string | undefined {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 2;
    const end = start + (bytes[at + 1] ?? 0);
    if (start > bytes.length || end > bytes.length || end - start > 32) return undefined;
    const bits = bytes.subarray(start, end);
    for (let bit = 0; bit < bits.length * 8; bit++) {
      if (bits[bit >> 3]! & (0x80 >> (bit & 7))) found.push(typeName(bytes[at]! * 256 + bit));
    }
    at = end;
  }
  return found.join(' ');
}
