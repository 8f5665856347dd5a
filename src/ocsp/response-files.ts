import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../platform/write-atomic.ts';
import { type Issued, type OcspResponse, readResponse } from './read-response.ts';

export type StoredResponse = OcspResponse & { readonly bytes: Uint8Array };

/** The folder of the responses in the data folder. */
export const responseFolder = (data: string): string => join(data, 'ocsp');

const pathOf = (folder: string, { certificate }: Pick<Issued, 'certificate'>): string =>
  join(folder, `${certificate.fingerprint256.replaceAll(':', '').toLowerCase()}.der`);

/** The stored response, if it can be stapled. */
export async function readStored(folder: string, issued: Issued, now: number): Promise<StoredResponse | undefined> {
  const bytes = await readFile(pathOf(folder, issued)).catch(() => undefined);
  if (!bytes) return undefined;
  const read = await readResponse(bytes, issued, now);
  return read.ok && read.value.status === 'good' ? { ...read.value, bytes } : undefined;
}

/** Stores a response and deletes those of certificates that are not in use. */
export async function writeStored(folder: string, issued: Issued, bytes: Uint8Array, inUse: readonly Issued[]) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = pathOf(folder, issued);
  await writeAtomic(path, bytes);
  const pathsInUse = new Set([path, ...inUse.map((certificate) => pathOf(folder, certificate))]);
  const all = (await readdir(folder)).map((name) => join(folder, name));
  await Promise.all(all.filter((file) => !pathsInUse.has(file)).map((file) => rm(file, { force: true })));
}

export const removeStored = (folder: string, issued: Issued): Promise<void> =>
  rm(pathOf(folder, issued), { force: true });
