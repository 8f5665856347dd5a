import { err, ok, type Result } from '../kit/result.ts';
import { isSoundCode } from '../rules/regex/regex-code.ts';
import { hashKey } from './name-keys.ts';
import { secretCheck } from './secret-check.ts';
import {
  countsIn,
  EMPTY,
  HEADER,
  headerOf,
  KIND,
  layOut,
  MAGIC,
  RECORD,
  SHORTCUT_LENGTH,
  SLOT,
  VERSION,
} from './table-layout.ts';

export type ImageChecks = {
  readonly secret: Uint8Array;
  /** CRC-32 or better, passed in because this module may not import it. */
  readonly checksum: (bytes: Uint8Array) => number;
};

/** The bytes of a table to save: the table's own memory, not a copy. */
export function tableImage(buffer: SharedArrayBuffer, { checksum }: Pick<ImageChecks, 'checksum'>): Uint8Array {
  const image = new Uint8Array(buffer, 0, buffer.byteLength);
  const header = headerOf(buffer);
  header[HEADER.checksum] = 0;
  header[HEADER.checksum] = checksum(image);
  return image;
}

/** A saved table, or why it is rejected. Bytes that already are in their own shared memory are not copied. */
export function readImage(image: Uint8Array, checks: ImageChecks): Result<SharedArrayBuffer, string> {
  const buffer = inSharedMemory(image);
  const why = whyNotTrusted(buffer, checks);
  return why === undefined ? ok(buffer) : err(why);
}

function inSharedMemory(image: Uint8Array): SharedArrayBuffer {
  const { buffer } = image;
  if (buffer instanceof SharedArrayBuffer && image.length === buffer.byteLength) return buffer;
  const shared = new SharedArrayBuffer(image.length);
  new Uint8Array(shared).set(image);
  return shared;
}

function whyNotTrusted(buffer: SharedArrayBuffer, { secret, checksum }: ImageChecks): string | undefined {
  if (buffer.byteLength < layOut(noCounts).byteLength || buffer.byteLength % 4 !== 0) return 'it is cut off';
  const header = headerOf(buffer);
  if (header[HEADER.magic] !== MAGIC) return 'not a table';
  if (header[HEADER.version] !== VERSION) return 'it was saved by another version';
  if (header[HEADER.byteLength] !== buffer.byteLength) return 'it is cut off or longer than it says';
  const check = secretCheck(hashKey(secret));
  if (header[HEADER.secretHigh] !== check.high || header[HEADER.secretLow] !== check.low)
    return 'it was made with another secret';
  if (!hasChecksum(buffer, header, checksum)) return 'its checksum is wrong';
  return isSound(buffer, header) ? undefined : 'its parts do not fit together';
}

const noCounts = {
  capacity: 0,
  slots: 0,
  filterWords: 0,
  oddWords: 0,
  named: 0,
  generic: 0,
  badfilters: 0,
  shortcuts: 0,
  codeLength: 0,
  textBytes: 0,
};

function hasChecksum(buffer: SharedArrayBuffer, header: Int32Array, checksum: ImageChecks['checksum']): boolean {
  const saved = header[HEADER.checksum]!;
  header[HEADER.checksum] = 0;
  const actual = checksum(new Uint8Array(buffer)) | 0;
  header[HEADER.checksum] = saved;
  return saved === actual;
}

/** Bounds check, which a checksum does not replace: every offset must be inside the table. */
function isSound(buffer: SharedArrayBuffer, header: Int32Array): boolean {
  const counts = countsIn(header);
  if (Object.values(counts).some((count) => count < 0) || counts.capacity < 1) return false;
  const at = layOut(counts);
  if (at.byteLength !== buffer.byteLength || counts.capacity > counts.slots) return false;
  if (counts.filterWords < 2 || !Number.isInteger(Math.log2(counts.filterWords))) return false;
  if (counts.oddWords !== 0 && counts.oddWords !== Math.ceil(counts.slots / 32)) return false;
  return (
    endsEmpty(new Int32Array(buffer, at.slotsAt, counts.slots * SLOT)) &&
    areRecordsSound(new Int32Array(buffer, at.recordsAt, at.records * RECORD), counts.textBytes, counts.slots) &&
    areShortcutsValid(
      new Int32Array(buffer, at.shortcutsAt, counts.shortcuts * SHORTCUT_LENGTH),
      counts.named,
      counts.generic,
    ) &&
    isCodeSound(
      new Int32Array(buffer, at.codeEndsAt, counts.generic),
      new Uint16Array(buffer, at.codeAt, counts.codeLength),
    )
  );
}

/** Otherwise the search for a missing name would run past the slots. */
const endsEmpty = (slots: Int32Array): boolean => (slots.at(-1)! & KIND) === EMPTY;

function areRecordsSound(records: Int32Array, textBytes: number, slots: number): boolean {
  let end = 0;
  for (let at = 0; at < records.length; at += RECORD) {
    if (records[at]! >= slots || records[at + 1]! < end) return false;
    end = records[at + 1]!;
  }
  return end === textBytes;
}

function areShortcutsValid(shortcuts: Int32Array, named: number, generic: number): boolean {
  for (let at = 1; at < shortcuts.length; at += SHORTCUT_LENGTH)
    if (shortcuts[at]! < named || shortcuts[at]! >= named + generic) return false;
  return true;
}

function isCodeSound(ends: Int32Array, code: Uint16Array): boolean {
  let start = 0;
  for (const end of ends) {
    if (end < start || end > code.length) return false;
    if (end > start && !isSoundCode(code.subarray(start, end))) return false;
    start = end;
  }
  return start === code.length;
}
