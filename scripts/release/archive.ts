import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stage } from './stage.ts';
import { nameOf, type Target } from './target.ts';

/** Writes NAME.tar.xz to the folder and returns its name. */
export function makeArchive(target: Target, folder: string, isFast: boolean): string {
  const name = nameOf(target);
  mkdirSync(folder, { recursive: true });
  stage(target, join(folder, name));
  const file = `${name}.tar.xz`;
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  execFileSync('tar', [...owner, '-C', folder, '-cJf', join(folder, file), name], {
    env: { ...process.env, XZ_OPT: isFast ? '-T0 -0' : '-T0 -6' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  rmSync(join(folder, name), { recursive: true });
  return file;
}
