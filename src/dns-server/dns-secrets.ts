import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../platform/write-atomic.ts';

const NAMES = 8;
const COOKIES = 16;

/** Keys of the name fingerprints and of server cookies. Generated once per data folder. */
export async function readSecrets(
  folder: string,
): Promise<{ readonly names: Uint8Array; readonly cookies: Uint8Array }> {
  const file = join(folder, 'dns-secret');
  const bytes = (await existing(file)) ?? (await made(file));
  return { names: bytes.subarray(0, NAMES), cookies: bytes.subarray(NAMES, NAMES + COOKIES) };
}

async function existing(file: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = new Uint8Array(await readFile(file));
    return bytes.length === NAMES + COOKIES ? bytes : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function made(file: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(randomBytes(NAMES + COOKIES));
  await writeAtomic(file, bytes, { temporaryFile: `${file}.new` });
  return bytes;
}
