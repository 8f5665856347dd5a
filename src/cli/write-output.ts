import { randomUUID } from 'node:crypto';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomic } from '../platform/write-atomic.ts';

/** Writes an output file atomically. "-" is standard output; pipes and devices are written in place. */
export async function writeOutput(path: string, content: Uint8Array): Promise<void> {
  if (path === '-') return writeStandardOutput(content);
  const target = await resolveTarget(path);
  if (target.kind === 'special') return writeSpecialFile(target.path, content);
  // Short, because the output name may already have the maximum length.
  const temporaryFile = join(dirname(target.path), `.weir-${randomUUID()}.tmp`);
  try {
    await writeAtomic(target.path, content, { mode: target.mode, temporaryFile });
  } catch (error) {
    // The temporary file is deleted, so error messages must not contain its name.
    throw new Error(`cannot write ${path}: ${(error as Error).message.replaceAll(temporaryFile, path)}`);
  }
}

type Target = { kind: 'regular'; path: string; mode?: number } | { kind: 'special'; path: string };

/** Symbolic links are followed, not replaced. */
async function resolveTarget(path: string): Promise<Target> {
  const resolved = await realpath(path).catch(() => path);
  const found = await lstat(resolved).catch(() => undefined);
  if (!found) return { kind: 'regular', path: resolved };
  if (found.isDirectory()) throw new Error(`cannot write ${path}: EISDIR: it is a folder`);
  return found.isFile()
    ? { kind: 'regular', path: resolved, mode: found.mode & 0o7777 }
    : { kind: 'special', path: resolved };
}

async function writeSpecialFile(path: string, content: Uint8Array): Promise<void> {
  await using file = await open(path, 'w');
  await file.writeFile(content);
}

async function writeStandardOutput(content: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: NodeJS.ErrnoException | null): void => {
      // The reader may close the pipe early (`weir … | head`).
      if (error && error.code !== 'EPIPE') reject(error);
      else resolve();
    };
    process.stdout.on('error', settle);
    process.stdout.write(content, settle);
  });
}
