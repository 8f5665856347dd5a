import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { singleFlight } from '../kit/single-flight.ts';

export type Backup = { readonly file: string; readonly bytes: number; readonly at: number };

type OpenBackup = { readonly name: string; readonly bytes: number; readonly content: ReadStream };

const MAX_BACKUPS = 10;
const NAME = /^weir-\d{8}T\d{6}\.\d{3}Z\.backup$/;

/** Writes backups to a folder of the data while the service runs. The ten newest are retained. */
export function backupFolder(data: string, backup: (file: string, now: number) => Promise<void>) {
  const folder = join(data, 'backups');
  const backups = singleFlight<Backup>();

  const names = async (): Promise<readonly string[]> => {
    const files = await readdir(folder).catch(() => []);
    return files.filter((name) => NAME.test(name)).toSorted();
  };
  const read = async (name: string): Promise<Backup> => {
    const file = join(folder, name);
    const { size, mtimeMs } = await stat(file);
    return { file, bytes: size, at: Math.round(mtimeMs) };
  };
  const make = async (now: number): Promise<Backup> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `weir-${new Date(now).toISOString().replaceAll(/[-:]/g, '')}.backup`;
    await backup(join(folder, name), now);
    const old = (await names()).slice(0, -MAX_BACKUPS);
    for (const name of old) await rm(join(folder, name), { force: true });
    return read(name);
  };

  return {
    last: async (): Promise<Backup | undefined> => {
      const newest = (await names()).at(-1);
      return newest === undefined ? undefined : read(newest);
    },
    /** The newest backup, to be downloaded. */
    openLast: async (): Promise<OpenBackup | undefined> => {
      const newest = (await names()).at(-1);
      if (newest === undefined) return undefined;
      const { bytes } = await read(newest);
      return { name: newest, bytes, content: createReadStream(join(folder, newest)) };
    },
    /** Concurrent calls share one backup. */
    make: (now: number): Promise<Backup> => backups.run(() => make(now)),
  };
}
