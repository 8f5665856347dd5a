import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missing } from '../programs.ts';

const script = fileURLToPath(new URL('./inside-copy-of-system.sh', import.meta.url));

/** For the option `skip` of a test. */
export const noCopyOfSystem = (...programs: readonly string[]): string | false =>
  process.getuid?.() === 0 ? missing('ip', 'unshare', 'setpriv', ...programs) : 'needs root';

/** Runs commands as root of a copy of this system, or of the one below `system`, with this folder at /packages, and returns what they print. */
export function inCopyOfSystem(folder: string, commands: string, system = '/'): string {
  mkdirSync(`${folder}/overlay`, { recursive: true });
  const settings = 'set -eu\nexport DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin';
  const { status, stdout, stderr } = spawnSync(script, [folder, system, `${settings}\n${commands}`], {
    encoding: 'utf8',
    cwd: '/',
  });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}
