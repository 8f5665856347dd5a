import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Suffix of temporary files. */
export const UNFINISHED = '.unfinished';

type Part = string | Uint8Array;
type Content = Part | readonly Part[] | ((file: FileHandle) => Promise<void>);

type AtomicOptions = {
  /** File mode, independent of the umask; undefined: default mode of the system. Default: private files. */
  readonly mode?: number | undefined;
  /** Must be on the same file system. If it exists it is overwritten. Default: a unique name beside the file. */
  readonly temporaryFile?: string;
};

/**
 * Replaces a file. Readers see the old or the new content, never a part of it. Once this resolves, the new content
 * survives a power failure.
 */
export async function writeAtomic(path: string, content: Content, options: AtomicOptions = {}): Promise<void> {
  const { mode, temporaryFile } = { mode: 0o600, ...options };
  const temporary = temporaryFile ?? `${path}.${randomUUID()}${UNFINISHED}`;
  try {
    await writeAndSync(temporary, temporaryFile ? 'w' : 'wx', content, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeAndSync(path: string, flags: string, content: Content, mode: number | undefined): Promise<void> {
  await using file = await open(path, flags, mode);
  if (mode !== undefined) await file.chmod(mode);
  if (typeof content === 'function') await content(file);
  else for (const part of isPart(content) ? [content] : content) await file.writeFile(part);
  await file.sync();
}

const isPart = (content: Part | readonly Part[]): content is Part =>
  typeof content === 'string' || content instanceof Uint8Array;

// Errors are ignored: the folder may be unreadable, and some file systems cannot sync folders.
const CANNOT_SYNC = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP']);

/** A rename is durable only once the folder is on disk. */
async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path);
    await folder.sync();
  } catch (error) {
    if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
