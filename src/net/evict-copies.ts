import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

// Temporary files older than this belong to killed writers.
const ABANDONED_AFTER_MS = 3_600_000;

type CopyFile = { readonly path: string; readonly bytes: number; readonly usedAt: number };

/** Deletes files of killed writers, and the least recently used copies until the rest fits. */
export async function evictCopies(folder: string, maxBytes: number, now: number): Promise<void> {
  const files = await filesIn(folder);
  const isAbandoned = ({ path, usedAt }: CopyFile) => path.endsWith('.unfinished') && now - usedAt > ABANDONED_AFTER_MS;
  for (const { path } of files.filter(isAbandoned)) await rm(path, { force: true });

  const copies = files.filter(({ path }) => path.endsWith('.copy')).toSorted((a, b) => a.usedAt - b.usedAt);
  let left = copies.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of copies) {
    if (left <= maxBytes) return;
    await rm(path, { force: true });
    left -= bytes;
  }
}

async function filesIn(folder: string): Promise<CopyFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files: CopyFile[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(folder, entry.name);
    // Another process may evict files in the same folder.
    const found = await ifThere(stat(path));
    if (found) files.push({ path, bytes: found.size, usedAt: found.mtimeMs });
  }
  return files;
}

/** Undefined if the file does not exist. */
export async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
