import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { ResultAbout } from './result-cache.ts';
import {
  type Head,
  MAX_HEAD_BYTES,
  type Packed,
  parseAbout,
  parseStart,
  type Unpacked,
  unpack,
} from './result-file.ts';

/** What is wrong with the file of a result that cannot be used. */
export type Unusable = { readonly kind: 'gone' | 'damaged' | 'of another layout' };

export type ResultFolder = ReturnType<typeof resultFolder>;

/** One file a result, for their owner only: a configuration may hold addresses with passwords. */
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
    /** Makes it, if need be, empty of what a killed process left half written. */
    async prepare(): Promise<void> {
      await rm(unfinishedFolder, { recursive: true, force: true });
      await mkdir(unfinishedFolder, { recursive: true, mode: 0o700 });
    },

    /** Strangers' files are none of ours, and stay. */
    async keys(): Promise<string[]> {
      const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
      return names.map((name) => name.slice(0, -ENDING.length)).filter((key) => KEY.test(key));
    },

    /** Reads the beginning only, and the length, by which a file that was cut short is known too. */
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
