import { chmod, lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: into a new file beside it, which then takes its place. "-" is standard output,
 * and what is no regular file (a pipe, a device) is written as it is.
 */
export async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  if (path === '-') return writeStandardOutput(content);
  const target = await resolveTarget(path);
  if (target.kind === 'special') return writeInto(target.path, 'w', content);
  const beside = join(dirname(target.path), `.weir-${process.pid}-${process.hrtime.bigint()}.tmp`);
  try {
    await writeInto(beside, 'wx', content);
    if (target.mode !== undefined) await chmod(beside, target.mode);
    await rename(beside, target.path);
  } catch (error) {
    await rm(beside, { force: true });
    // The name of the file beside, which is gone, would only confuse; so the error has no cause that tells it.
    throw new Error(`cannot write ${path}: ${(error as Error).message.replaceAll(beside, path)}`);
  }
}

type Target = { kind: 'regular'; path: string; mode?: number } | { kind: 'special'; path: string };

/** A link stays a link: what it points to is replaced. */
async function resolveTarget(path: string): Promise<Target> {
  const resolved = await realpath(path).catch(() => path);
  const found = await lstat(resolved).catch(() => undefined);
  if (!found) return { kind: 'regular', path: resolved };
  if (found.isDirectory()) throw new Error(`cannot write ${path}: EISDIR: it is a folder`);
  return found.isFile() ? { kind: 'regular', path: resolved, mode: found.mode } : { kind: 'special', path: resolved };
}

async function writeInto(path: string, flags: string, content: Uint8Array): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

async function writeStandardOutput(content: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: NodeJS.ErrnoException | null): void => {
      // A reader that has seen enough (`weir … | head`) is no fault.
      if (error && error.code !== 'EPIPE') reject(error);
      else resolve();
    };
    process.stdout.on('error', settle);
    process.stdout.write(content, settle);
  });
}
