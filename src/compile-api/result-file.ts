import { hash } from 'node:crypto';
import type { ResultAbout } from './result-cache.ts';

// A result as a file:
//   weir result 1 <SHA-256 of the next line>
//   <a line of JSON: the head, with the lengths and checksums of what follows>
//   <JSON: the details><the list, compressed>
// So the beginning of a file is enough to know that it is whole up to there, how long it must be and what it is about;
// and what is long of that (the configuration, the dropped rules) can stay on disk until somebody asks.

// The number changes with the layout, so that another version's files are strangers and not puzzles.
const MARK = 'weir result 1 ';
const ANY_MARK = /^weir result \d+ /;
const FIRST_LINE_BYTES = MARK.length + 64 + 1;

/** No head is longer: its members are numbers, dates and checksums. */
export const MAX_HEAD_BYTES = 4096;

type Details = Pick<ResultAbout, 'configuration' | 'extra' | 'validators'>;
type Part = { readonly bytes: number; readonly sha256: string };

export type Head = Omit<ResultAbout, keyof Details> & {
  /** Since when it counts as fresh: when it was compiled, or last found to be unchanged. In ISO 8601. */
  readonly freshFrom: string;
  readonly details: Part;
  readonly list: Part;
};

/** The parts of a file, to be written one after the other. */
export type Packed = { readonly head: Head; readonly parts: readonly Uint8Array[]; readonly bytes: number };

export function pack(about: ResultAbout, gzippedList: Uint8Array): Packed {
  const { configuration, extra, validators, ...rest } = about;
  const details = Buffer.from(JSON.stringify({ configuration, extra, validators } satisfies Details));
  const head = { ...rest, freshFrom: about.compiledAt, details: partOf(details), list: partOf(gzippedList) };
  return inParts(head, details, gzippedList);
}

export const packRenewed = ({ head, details, gzippedList }: Unpacked, freshFrom: string): Packed =>
  inParts({ ...head, freshFrom }, details, gzippedList);

function inParts(head: Head, details: Uint8Array, gzippedList: Uint8Array): Packed {
  const line = JSON.stringify(head);
  const start = Buffer.from(`${MARK}${hash('sha256', line)}\n${line}\n`);
  if (start.length > MAX_HEAD_BYTES) throw new Error('its key, content id or date is too long');
  const parts = [start, details, gzippedList];
  return { head, parts, bytes: parts.reduce((sum, part) => sum + part.length, 0) };
}

export type Start =
  | { readonly kind: 'whole'; readonly head: Head; readonly headBytes: number; readonly fileBytes: number }
  | { readonly kind: 'of another layout' }
  | { readonly kind: 'damaged' };

/** What the first MAX_HEAD_BYTES of a file say, or all of it if it is shorter. */
export function parseStart(start: Buffer): Start {
  const mark = start.toString('latin1', 0, MARK.length);
  if (mark !== MARK) return { kind: ANY_MARK.test(start.toString('latin1', 0, 32)) ? 'of another layout' : 'damaged' };
  const end = start.indexOf('\n', FIRST_LINE_BYTES);
  const line = start.subarray(FIRST_LINE_BYTES, end);
  const checksum = start.toString('latin1', MARK.length, FIRST_LINE_BYTES);
  if (end < 0 || checksum !== `${hash('sha256', line)}\n`) return { kind: 'damaged' };
  // Whole, so it is what pack() wrote.
  const head = JSON.parse(line.toString()) as Head;
  return { kind: 'whole', head, headBytes: end + 1, fileBytes: end + 1 + head.details.bytes + head.list.bytes };
}

export function parseAbout(head: Head, details: Uint8Array): ResultAbout | undefined {
  if (!isPart(details, head.details)) return undefined;
  const { configuration, extra, validators } = JSON.parse(Buffer.from(details).toString()) as Details;
  const { key, contentId, compiledAt, ruleCount, listBytes } = head;
  return { key, contentId, compiledAt, ruleCount, listBytes, configuration, extra, validators };
}

export type Unpacked = { readonly head: Head; readonly details: Buffer; readonly gzippedList: Buffer };

/** A file that is not exactly what was written, for whatever reason, is no result. */
export function unpack(file: Buffer): Unpacked | undefined {
  const start = parseStart(file.subarray(0, MAX_HEAD_BYTES));
  if (start.kind !== 'whole') return undefined;
  const { head, headBytes } = start;
  const details = file.subarray(headBytes, headBytes + head.details.bytes);
  const gzippedList = file.subarray(headBytes + head.details.bytes);
  return isPart(details, head.details) && isPart(gzippedList, head.list) ? { head, details, gzippedList } : undefined;
}

const partOf = (data: Uint8Array): Part => ({ bytes: data.length, sha256: hash('sha256', data) });
const isPart = (data: Uint8Array, part: Part): boolean =>
  data.length === part.bytes && hash('sha256', data) === part.sha256;
