import { hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { ResultAbout } from './result-cache.ts';

// File layout of a result:
//   weir result 1 <SHA-256 of the next line>
//   <a line of JSON: the head, with the lengths and checksums of the rest>
//   <JSON: the details><the compressed list>
// The head alone verifies itself and the length of the file; long details (configuration, dropped rules) are read on
// demand.

// The number changes with the layout; files of other layouts are removed.
const MARK = 'weir result 1 ';
const ANY_MARK = /^weir result \d+ /;
const FIRST_LINE_BYTES = MARK.length + 64 + 1;

/** Upper bound of a head: its members are numbers, dates and checksums. */
const MAX_HEAD_BYTES = 4096;

type Details = Pick<ResultAbout, 'configuration' | 'extra' | 'validators'>;
type Part = { readonly bytes: number; readonly sha256: string };

export type Head = Omit<ResultAbout, keyof Details> & {
  /** Start of freshness in ISO 8601: when it was compiled or last found unchanged. */
  readonly freshFrom: string;
  readonly details: Part;
  readonly list: Part;
};

/** The parts of a file in order. */
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

/** Parses the first MAX_HEAD_BYTES of a file. */
function parseStart(start: Buffer): Start {
  const mark = start.toString('latin1', 0, MARK.length);
  if (mark !== MARK) return { kind: ANY_MARK.test(start.toString('latin1', 0, 32)) ? 'of another layout' : 'damaged' };
  const end = start.indexOf('\n', FIRST_LINE_BYTES);
  const line = start.subarray(FIRST_LINE_BYTES, end);
  const checksum = start.toString('latin1', MARK.length, FIRST_LINE_BYTES);
  if (end < 0 || checksum !== `${hash('sha256', line)}\n`) return { kind: 'damaged' };
  // The checksum matches, so `pack` wrote it.
  const head = JSON.parse(line.toString()) as Head;
  return { kind: 'whole', head, headBytes: end + 1, fileBytes: end + 1 + head.details.bytes + head.list.bytes };
}

function parseAbout(head: Head, details: Uint8Array): ResultAbout | undefined {
  if (!isPart(details, head.details)) return undefined;
  const { configuration, extra, validators } = JSON.parse(Buffer.from(details).toString()) as Details;
  const { key, contentId, compiledAt, ruleCount, listBytes } = head;
  return { key, contentId, compiledAt, ruleCount, listBytes, configuration, extra, validators };
}

export type Unpacked = { readonly head: Head; readonly details: Buffer; readonly gzippedList: Buffer };

/** Undefined unless the file is exactly as written. */
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

/** Why the file of a result cannot be used. */
export type Unusable = { readonly kind: 'gone' | 'damaged' | 'of another layout' };

export type ResultFolder = ReturnType<typeof resultFolder>;

/** One file per result, readable by the owner only: configurations may contain URLs with passwords. */
export function resultFolder(folder: string) {
  const unfinishedFolder = join(folder, 'unfinished');
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error(`not a key of a result: ${key}`);
    return join(folder, `${key}${ENDING}`);
  };

  const withFile = async <T>(key: string, job: (file: FileHandle) => Promise<T>): Promise<T | Unusable> => {
    try {
      await using file = await open(pathOf(key));
      return await job(file);
    } catch (error) {
      return goneOrThrow(error);
    }
  };

  return {
    /** Creates the folder and removes partial files of killed processes. */
    async prepare(): Promise<void> {
      await rm(unfinishedFolder, { recursive: true, force: true });
      await mkdir(unfinishedFolder, { recursive: true, mode: 0o700 });
    },

    /** Ignores unrelated files. */
    async keys(): Promise<string[]> {
      const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
      return names.map((name) => name.slice(0, -ENDING.length)).filter((key) => KEY.test(key));
    },

    /** Reads the head and compares the file length, which detects truncated files. */
    readHead: (key: string): Promise<{ kind: 'head'; head: Head; bytes: number } | Unusable> =>
      withFile(key, async (file) => {
        const start = parseStart(await readPart(file, 0, MAX_HEAD_BYTES));
        if (start.kind !== 'whole') return start;
        const { size } = await file.stat();
        if (start.head.key !== key || size !== start.fileBytes) return { kind: 'damaged' };
        return { kind: 'head', head: start.head, bytes: size };
      }),

    readAbout: (key: string): Promise<{ kind: 'about'; about: ResultAbout; bytes: number } | Unusable> =>
      withFile(key, async (file) => {
        const start = parseStart(await readPart(file, 0, MAX_HEAD_BYTES));
        if (start.kind !== 'whole') return start;
        const { bytes } = start.head.details;
        const about = parseAbout(start.head, await readPart(file, start.headBytes, bytes));
        return about ? { kind: 'about', about, bytes } : { kind: 'damaged' };
      }),

    async readWhole(key: string): Promise<({ kind: 'whole' } & Unpacked) | Unusable> {
      try {
        const unpacked = unpack(await readFile(pathOf(key)));
        return unpacked?.head.key === key ? { kind: 'whole', ...unpacked } : { kind: 'damaged' };
      } catch (error) {
        return goneOrThrow(error);
      }
    },

    async write({ head, parts }: Packed): Promise<void> {
      await mkdir(unfinishedFolder, { recursive: true, mode: 0o700 });
      const temporaryFile = join(unfinishedFolder, `${head.key}.unfinished`);
      await writeAtomic(pathOf(head.key), parts, { temporaryFile });
    },

    remove: (key: string): Promise<void> => rm(pathOf(key), { force: true }),
  };
}

const KEY = /^[0-9a-f]{64}$/;
const ENDING = '.result';

async function readPart(file: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, from);
  return buffer.subarray(0, bytesRead);
}

function goneOrThrow(error: unknown): Unusable {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { kind: 'gone' };
  throw error;
}
