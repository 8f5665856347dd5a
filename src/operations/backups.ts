import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../store/store.ts';

export type Backup = { readonly file: string; readonly bytes: number; readonly at: number };

const KEPT = 10;
const NAME = /^weir-\d{8}T\d{6}\.\d{3}Z\.backup$/;

/** Backups that are made while the service runs, in a folder of its data. The newest ten stay. */
export function backupsIn(data: string, store: Pick<Store, 'backup'>) {
  const folder = join(data, 'backups');
  let underway: Promise<Backup> | undefined;

  const names = async (): Promise<readonly string[]> => {
    const found = await readdir(folder).catch(() => []);
    return found.filter((name) => NAME.test(name)).toSorted();
  };
  const read = async (name: string): Promise<Backup> => {
    const file = join(folder, name);
    const { size, mtimeMs } = await stat(file);
    return { file, bytes: size, at: Math.round(mtimeMs) };
  };
  const make = async (now: number): Promise<Backup> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `weir-${new Date(now).toISOString().replaceAll(/[-:]/g, '')}.backup`;
    await store.backup(join(folder, name), now);
    const old = (await names()).slice(0, -KEPT);
    for (const each of old) await rm(join(folder, each), { force: true });
    return read(name);
  };

  return {
    last: async (): Promise<Backup | undefined> => {
      const newest = (await names()).at(-1);
      return newest === undefined ? undefined : read(newest);
    },
    /** All who ask while one is being made are given that one. */
    make: (now: number): Promise<Backup> => {
      underway ??= make(now).finally(() => {
        underway = undefined;
      });
      return underway;
    },
  };
}
