import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Download, type ReadSource, readAnywhere } from '../compiler/sources/read-source.ts';
import { version } from '../platform/version.ts';
import { withFileName } from './with-file-name.ts';

export const compiledBy = `Weir v${version}`;

export type OwnReading = { readonly copiesFolder: string | undefined; readonly useStaleCopies: boolean };

/** Reads whatever the current user may read: files, and URLs at any address. */
export function readAsOwner({ copiesFolder, useStaleCopies }: OwnReading): ReadSource {
  // The downloader is loaded for the first URL: lists of local files do not need it.
  let loading: Promise<Download> | undefined;
  const load = async (): Promise<Download> => {
    const [{ downloader }, { copiesOnDisk }] = await Promise.all([
      import('../net/download.ts'),
      import('../net/copies-on-disk.ts'),
    ]);
    const copies = copiesFolder === undefined ? {} : { copies: copiesOnDisk(copiesFolder) };
    return downloader({ ...copies, useStaleCopies, userAgent: `weir/${version}`, proxies: process.env });
  };
  const download: Download = async (url, options) => {
    loading ??= load();
    return (await loading)(url, options);
  };
  return readAnywhere(download, files);
}

const files = {
  read: async (path: string): Promise<Uint8Array | undefined> => {
    try {
      return await readFile(resolve(path));
    } catch (error) {
      if (isNothingThere(error)) return undefined;
      throw withFileName(error, path);
    }
  },
  missing: (path: string): Error => new Error(`ENOENT: no such file or directory, open '${resolve(path)}'`),
};

/** Text that is not a path, such as inline rules, fails with other codes. */
const isNothingThere = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(String(error.code));
