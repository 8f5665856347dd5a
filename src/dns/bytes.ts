// Big-endian uint16 and uint32 access.

export const readUint16 = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;

export const readUint32 = (bytes: Uint8Array, at: number): number =>
  ((readUint16(bytes, at) << 16) | readUint16(bytes, at + 2)) >>> 0;

export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  writeUint16(bytes, at, value >>> 16);
  writeUint16(bytes, at + 2, value);
}

export const uint16Bytes = (...values: number[]): number[] =>
  values.flatMap((value) => [(value >>> 8) & 0xff, value & 0xff]);
