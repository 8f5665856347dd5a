import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export const UNFINISHED = '.unfinished';

/**
 * Readers see the old file or the new one, whole; once this resolves, the new one, even after a power cut. For its owner
 * only: addresses of lists may hold passwords.
 */
export async function replaceFile(path: string, ...parts: readonly (string | Uint8Array)[]): Promise<void> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
  try {
    await writeAndSync(unfinished, parts);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeAndSync(path: string, parts: readonly (string | Uint8Array)[]): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  for (const part of parts) await file.writeFile(part);
  await file.sync();
}

/** The name of a new file is content of its folder. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}
