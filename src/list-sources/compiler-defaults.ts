import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Download, type ReadSource, readAnywhere } from '../compiler/sources/read-source.ts';
import { startOnce } from '../kit/single-flight.ts';
import { version } from '../platform/version.ts';
import { withFileName } from './with-file-name.ts';

export const compiledBy = `Weir v${version}`;

export type OwnReading = {
  readonly copiesFolder: string | undefined;
  readonly useStaleCopies: boolean;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Called with the path of each file before it is read. */
  readonly onFile?: (path: string) => void;
};

/** Reads everything that the current user may read: files, and URLs at any address. */
export function readAsOwner(reading: OwnReading): ReadSource {
  const { copiesFolder, useStaleCopies, onFile } = reading;
  // The downloader is loaded for the first URL, because lists of local files do not need it.
  const load = startOnce(async (): Promise<Download> => {
    const [{ downloader }, { copiesOnDisk }] = await Promise.all([
      import('../net/download.ts'),
      import('../net/copies-on-disk.ts'),
    ]);
    const copies = copiesFolder === undefined ? {} : { copies: copiesOnDisk(copiesFolder) };
    return downloader({
      ...copies,
      ...downloadLimits(reading),
      useStaleCopies,
      userAgent: `weir/${version}`,
      proxies: process.env,
    });
  });
  const download: Download = async (url, options) => (await load.run())(url, options);
  const read = (path: string): Promise<Uint8Array | undefined> => {
    onFile?.(resolve(path));
    return files.read(path);
  };
  return readAnywhere(download, { ...files, read });
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
// Longer than all waits between the default number of attempts.
const WAITS_MS = 15_000;

function downloadLimits({ timeoutMs, maxRetries }: OwnReading) {
  if (timeoutMs === undefined && maxRetries === undefined) return {};
  const limits = { timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS, maxRetries: maxRetries ?? DEFAULT_RETRIES };
  return { ...limits, totalBudgetMs: limits.timeoutMs * (limits.maxRetries + 1) + WAITS_MS * (limits.maxRetries + 1) };
}

const MAX_UNZIPPED_BYTES = 256 * 1024 * 1024;

/** Compressed files are supported, because some lists are published compressed. */
async function unzipped(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const { gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNZIPPED_BYTES });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Error(isTooLarge ? `${path} has more than 256 MiB` : `${path} is not valid gzip`, { cause: error });
  }
}

const files = {
  read: async (path: string): Promise<Uint8Array | undefined> => {
    try {
      return await unzipped(await readFile(resolve(path)), path);
    } catch (error) {
      if (isNothingThere(error)) return undefined;
      throw withFileName(error, path);
    }
  },
  missing: (path: string): Error => new Error(`ENOENT: no such file or directory, open '${resolve(path)}'`),
};

/** Includes the error codes of text that is not a path, such as inline rules. */
const isNothingThere = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(String(error.code));
