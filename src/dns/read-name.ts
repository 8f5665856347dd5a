import { readUint16 } from './bytes.ts';
import { HEADER_LENGTH, MAX_NAME_LENGTH } from './numbers.ts';

/** Cursor over the bytes of a message. Records the first error and stops. */
export type Reader = {
  readonly bytes: Uint8Array;
  at: number;
  fault: string;
  /** Work spent on all names: bytes copied plus pointers followed. */
  steps: number;
  /** Names by offset: most names of a response point to few offsets. */
  readonly names: Map<number, Uint8Array>;
};

// Strictly backward pointers cannot loop, but 64 KB can refer to a long chain thousands of times.
const MAX_HOPS = 127;
const MAX_STEPS = 1 << 18;
const POINTER = 0xc0;

const scratch = new Uint8Array(MAX_NAME_LENGTH);

export const newReader = (bytes: Uint8Array): Reader => ({ bytes, at: 0, fault: '', steps: 0, names: new Map() });

export function fail(reader: Reader, fault: string): undefined {
  reader.fault = fault;
  return undefined;
}

/** Reads a name and follows its pointers. */
export function readName(reader: Reader): Uint8Array | undefined {
  const start = reader.at;
  const cached = cachedName(reader);
  if (cached) return cached;
  const name = copyName(reader);
  if (name) reader.names.set(start, name);
  return name;
}

function cachedName(reader: Reader): Uint8Array | undefined {
  const { bytes, at } = reader;
  if (at + 2 > bytes.length || bytes[at]! < POINTER) return undefined;
  const target = readUint16(bytes, at) & 0x3fff;
  const cached = target < at ? reader.names.get(target) : undefined;
  if (!cached) return undefined;
  reader.steps += 1;
  reader.at += 2;
  return cached;
}

function copyName(reader: Reader): Uint8Array | undefined {
  const { bytes } = reader;
  let next = reader.at;
  let segment = next;
  let length = 0;
  let hops = 0;
  for (;;) {
    if (next >= bytes.length) return fail(reader, 'a name extends past the end');
    const label = bytes[next]!;
    if (label >= POINTER) {
      if (next + 2 > bytes.length) return fail(reader, 'a name extends past the end');
      const target = readUint16(bytes, next) & 0x3fff;
      if (hops++ === 0) reader.at = next + 2;
      if (target >= segment || target < HEADER_LENGTH)
        return fail(reader, 'a compression pointer does not point to an earlier name');
      if (hops > MAX_HOPS) return fail(reader, 'a name has too many compression pointers');
      next = target;
      segment = target;
      continue;
    }
    if (label > 63) return fail(reader, 'a label has an unknown type');
    if (length + label + 1 > MAX_NAME_LENGTH || next + label >= bytes.length) {
      return fail(reader, 'a name is too long');
    }
    for (let i = 0; i <= label; i++) scratch[length + i] = bytes[next + i]!;
    length += label + 1;
    next += label + 1;
    if (label === 0) break;
  }
  if (hops === 0) reader.at = next;
  reader.steps += length + hops;
  if (reader.steps > MAX_STEPS) return fail(reader, 'its compressed names take too many steps to read');
  return scratch.slice(0, length);
}
