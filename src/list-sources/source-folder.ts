import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export type FoundInFolder =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'too large' }
  /** The same error for missing and forbidden files, so that the client cannot distinguish them. */
  | { readonly kind: 'nothing' };

export type SourceFolder = { readonly folder: string; readonly maxBytes: number };

// O_NONBLOCK: a FIFO would wait for its writer. O_NOCTTY: a terminal would become ours. O_NOFOLLOW: a link as the last
// component was created after the path was resolved.
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const NOTHING: FoundInFolder = { kind: 'nothing' };

/** Reads a regular file below the folder, by a path or a file:// URL; never one outside it. */
export async function readFromFolder(source: string, { folder, maxBytes }: SourceFolder): Promise<FoundInFolder> {
  const path = pathOf(source);
  if (path === undefined || path.includes('\0')) return NOTHING;
  const root = await nothingIfMissing(realpath(folder));
  const found = root && (await nothingIfMissing(realpath(resolve(root, path))));
  if (!root || !found || !isBelow(root, found)) return NOTHING;
  const handle = await nothingIfMissing(open(found, FLAGS));
  if (!handle) return NOTHING;
  try {
    // Checked on the open file: the path may have been replaced since it was resolved.
    const opened = await handle.stat();
    if (!opened.isFile() || !isBelow(root, await pathOfOpenFile(handle, found))) return NOTHING;
    const bytes = await readAtMost(handle, maxBytes);
    return bytes ? { kind: 'file', bytes } : { kind: 'too large' };
  } finally {
    await handle.close();
  }
}

function pathOf(source: string): string | undefined {
  if (!/^file:\/\//i.test(source)) return source;
  try {
    return fileURLToPath(source);
  } catch {
    // Another host, an escaped slash or a stray percent sign: not a file.
    return undefined;
  }
}

const isBelow = (root: string, path: string | undefined): boolean =>
  path?.startsWith(root.endsWith(sep) ? root : root + sep) === true;

/** Path of the open file. */
async function pathOfOpenFile(handle: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`);
  // Without /proc: the file at the resolved path, without links, must be the open one.
  const [opened, resolved, there] = await Promise.all([
    handle.stat(),
    nothingIfMissing(realpath(path)),
    nothingIfMissing(stat(path)),
  ]);
  return resolved === path && opened.dev === there?.dev && opened.ino === there.ino ? path : undefined;
}

/** Undefined if there is more. Counted while reading, because a file may grow. */
async function readAtMost(handle: FileHandle, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const content: AsyncIterable<Buffer> = handle.createReadStream({ autoClose: false, end: maxBytes });
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks, size);
}

async function nothingIfMissing<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && leadsNowhere.has(String(error.code))) return undefined;
    throw error;
  }
}

// Also covers text that is not a path, such as inline rules; sockets, which cannot be opened; and a link as the last
// component.
const leadsNowhere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO']);
