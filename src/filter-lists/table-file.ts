import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { BuiltTable } from '../engine/build/build-table.ts';
import { readImage, tableImage } from '../engine/table-image.ts';
import { err, type Result } from '../kit/result.ts';
import { writeAtomic } from '../platform/write-atomic.ts';

// File layout of a table, little-endian:
//   "weirtab1", bytes of the image, number of slots, checksum of the lines, checksum of the preceding header
//   image of the table as written by the engine
//   per slot the offset of its line in the text of the list
// One file, so that a table is never combined with the lines of another version.

const MARK = 0x3162_6174_7269_6577n;
const HEAD_BYTES = 24;
const SLOT_BYTES = 4;

type Saved = Pick<BuiltTable, 'buffer' | 'lines'>;

export async function saveTable(path: string, { buffer, lines }: Saved): Promise<void> {
  const image = tableImage(buffer, { checksum: crc32 });
  const offsets = bytesOf(lines);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeBigUInt64LE(MARK, 0);
  head.writeUInt32LE(image.length, 8);
  head.writeUInt32LE(lines.length, 12);
  head.writeUInt32LE(crc32(offsets), 16);
  head.writeUInt32LE(crc32(head.subarray(0, 20)), 20);
  await writeAtomic(path, [head, image, offsets]);
}

/** Reads the table directly into shared memory; or returns why the file is rejected. */
export function loadTable(path: string, secret: Uint8Array): Result<SharedArrayBuffer, string> {
  try {
    return withFile(path, (file) => {
      const head = readHead(file);
      if (!head || fstatSync(file).size !== HEAD_BYTES + head.imageBytes + head.slots * SLOT_BYTES)
        return err('its table file is damaged');
      const offsets = new Uint8Array(head.slots * SLOT_BYTES);
      readSync(file, offsets, 0, offsets.length, HEAD_BYTES + head.imageBytes);
      if (crc32(offsets) !== head.checksum) return err('its table file is damaged');
      const image = new Uint8Array(new SharedArrayBuffer(head.imageBytes));
      readSync(file, image, 0, image.length, HEAD_BYTES);
      return readImage(image, { secret, checksum: crc32 });
    });
  } catch (error) {
    return err(`its table file cannot be read: ${String(error)}`);
  }
}

/** Offset of a slot's line in the text of the list. */
export type OffsetOf = (slot: number) => number | undefined;

export function openOffsets(file: number): OffsetOf {
  const head = readHead(file);
  if (!head) throw new Error('not the file of a table');
  const slotBytes = Buffer.alloc(SLOT_BYTES);
  return (slot) => {
    if (slot < 0 || slot >= head.slots) return undefined;
    const read = readSync(file, slotBytes, 0, SLOT_BYTES, HEAD_BYTES + head.imageBytes + slot * SLOT_BYTES);
    return read === SLOT_BYTES ? slotBytes.readUInt32LE() : undefined;
  };
}

type Head = { readonly imageBytes: number; readonly slots: number; readonly checksum: number };

function readHead(file: number): Head | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  readSync(file, head, 0, HEAD_BYTES, 0);
  if (head.readBigUInt64LE(0) !== MARK || crc32(head.subarray(0, 20)) !== head.readUInt32LE(20)) return undefined;
  return { imageBytes: head.readUInt32LE(8), slots: head.readUInt32LE(12), checksum: head.readUInt32LE(16) };
}

function withFile<T>(path: string, job: (file: number) => T): T {
  const file = openSync(path, 'r');
  try {
    return job(file);
  } finally {
    closeSync(file);
  }
}

const bytesOf = (numbers: Uint32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
