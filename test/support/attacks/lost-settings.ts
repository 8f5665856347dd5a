import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'settings.sqlite';
const withCompanions = (data: string): string[] => ['', '-wal', '-shm'].map((ending) => join(data, FILE + ending));

/** Deletes the settings, with the server running or not. */
export function deleteSettings(data: string): void {
  for (const path of withCompanions(data)) rmSync(path, { force: true });
}

/** Leaves 0 bytes, as file systems do after a power loss. */
export function emptySettings(data: string): void {
  deleteSettings(data);
  writeFileSync(join(data, FILE), '');
}

/** Overwrites the lock file in place. */
export const damageLock = (data: string): void =>
  writeFileSync(join(data, 'lock.sqlite'), Buffer.alloc(8192, 'this is not a database '), { flag: 'r+' });

/** Moves the data folder away under the running server; `stop` moves it back and replaces files created meanwhile. */
export function startMissingFolder({ data }: { readonly data: string }) {
  const away = `${data}.away`;
  renameSync(data, away);
  return {
    stop: async (): Promise<void> => {
      rmSync(data, { recursive: true, force: true });
      renameSync(away, data);
    },
  };
}
