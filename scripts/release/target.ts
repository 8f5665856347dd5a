import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };

const archs = ['x64', 'arm64'] as const;

/** `node`: whether Node is bundled. The npm package of Node is built for glibc only. */
export type Target = { readonly arch: (typeof archs)[number]; readonly libc: 'glibc' | 'musl'; readonly node: boolean };

export const targets: readonly Target[] = archs.flatMap((arch) => [
  { arch, libc: 'glibc', node: true } as const,
  { arch, libc: 'musl', node: false } as const,
]);

export const nameOf = ({ arch, libc }: Target): string =>
  `weir-${version}-linux-${arch}${libc === 'musl' ? '-musl' : ''}`;

/** Package versions from the lock file. */
export function lockedVersion(name: string): string {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Readonly<Record<string, { version: string } | undefined>>;
  };
  const locked = lock.packages[`node_modules/${name}`];
  if (!locked) throw new Error(`package-lock.json does not contain ${name}`);
  return locked.version;
}

/** Folder of an npm package: the installed one, or, for another architecture, a download in .cache. */
export function packageFolder(name: string): string {
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const folder = join(root, '.cache/release', `${name.replace('/', '-')}-${lockedVersion(name)}`);
  if (existsSync(join(folder, 'package/package.json'))) return join(folder, 'package');
  mkdirSync(folder, { recursive: true });
  const wanted = `${name}@${lockedVersion(name)}`;
  console.error(`downloading ${wanted}`);
  try {
    const tarball = execFileSync('npm', ['pack', wanted, '--silent', '--pack-destination', folder], {
      encoding: 'utf8',
    });
    execFileSync('tar', ['-xzf', join(folder, tarball.trim()), '-C', folder]);
  } catch (error) {
    throw new Error(`${wanted} is not installed here and could not be downloaded from the npm registry`, {
      cause: error,
    });
  }
  return join(folder, 'package');
}
