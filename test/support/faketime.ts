import { existsSync, readdirSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './app/temporary-folder.ts';

type Ending = { after(end: () => unknown): void };

const library = existsSync('/usr/lib')
  ? readdirSync('/usr/lib')
      .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
      .find((file) => existsSync(file))
  : undefined;

/** A system clock that a test can set, for a program that it starts; the monotonic clock is not changed. */
export const faketimeFor = {
  skip: library === undefined && 'no faketime here',
  async clock(t: Ending) {
    const folder = await temporaryFolder(t, { shift: '+0' });
    // A service started as root reads it as another user.
    await chmod(folder, 0o755);
    const file = join(folder, 'shift');
    return {
      env: {
        LD_PRELOAD: library!,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
      /** Offset from the real time in seconds, for example `+3600`. */
      async shift(by: string): Promise<void> {
        await writeFile(file, by);
        await sleep(1100);
      },
    };
  },
};
