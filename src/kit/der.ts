// The subset of DER (X.690) that certificates and signatures need.

export const SEQUENCE = 0x30;
export const SET = 0x31;
export const INTEGER = 0x02;
export const OCTETS = 0x04;
export const NULL = 0x05;
const OID = 0x06;
const UTC_TIME = 0x17;

export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

/** `1.2.840.113549.1.7.2` */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(OID, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 + (rest % 128));
  return bytes;
}

export const utcTime = (date: Date): Buffer =>
  der(UTC_TIME, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

/** The consecutive elements in these bytes, each with tag and length. */
export function elements(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = endOfElement(bytes, at);
    found.push(bytes.subarray(at, end));
    at = end;
  }
  return found;
}

export const contentOf = (element: Uint8Array): Uint8Array =>
  element.subarray(endOfElement(element, 0) - contentLength(element, 0).length);

const endOfElement = (bytes: Uint8Array, at: number): number => {
  const { length, headBytes } = contentLength(bytes, at);
  const end = at + headBytes + length;
  if (end > bytes.length) throw new Error('not DER: it ends too early');
  return end;
};

function contentLength(bytes: Uint8Array, at: number): { length: number; headBytes: number } {
  const first = bytes[at + 1] ?? 0;
  if (first < 0x80) return { length: first, headBytes: 2 };
  const count = first - 0x80;
  let length = 0;
  for (let byte = 0; byte < count; byte++) length = length * 256 + (bytes[at + 2 + byte] ?? 0);
  return { length, headBytes: 2 + count };
}
