// Big-endian uint16 and uint32 access.

export const short = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

export const long = (bytes: Uint8Array, at: number): number => ((short(bytes, at) << 16) | short(bytes, at + 2)) >>> 0;

export function putShort(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function putLong(bytes: Uint8Array, at: number, value: number): void {
  putShort(bytes, at, value >>> 16);
  putShort(bytes, at + 2, value);
}

export const shorts = (...values: number[]): number[] =>
  values.flatMap((value) => [(value >>> 8) & 0xff, value & 0xff]);
