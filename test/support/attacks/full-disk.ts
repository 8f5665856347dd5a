import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Whether this process may mount a file system. */
export const canMount = (): boolean =>
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Mounts a file system of `megabytes` on `folder`. Unmounting does not wait for processes that use it. */
export function mountSmallDisk(folder: string, megabytes: number): { readonly unmount: () => void } {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]);
  return { unmount: () => void spawnSync('umount', ['-l', folder]) };
}

/** Takes all space of the file system of `folder`; `refill` also takes what was freed since. */
export async function startFullDisk({ folder }: { readonly folder: string }) {
  const path = join(folder, 'filler');
  const file = openSync(path, 'w');
  const refill = (): void => {
    for (const size of [2 ** 20, 4096]) {
      const bytes = new Uint8Array(size);
      try {
        while (writeSync(file, bytes) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  };
  refill();
  return {
    refill,
    async stop(): Promise<void> {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}
