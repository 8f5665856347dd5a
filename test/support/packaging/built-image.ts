import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';

// An image of the Containerfile, built with buildah and without a registry: the stage `build` is a folder, and the base image is made of
// Debian packages that are installed on this machine.

type Config = {
  readonly User: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
};

export type BuiltImage = { readonly root: string; readonly config: Config };

type Wanted = { readonly containerfile: string; readonly base: string; readonly buildStage: string };

export function buildImage(folder: string, { containerfile, base, buildStage }: Wanted): BuiltImage {
  // vfs works on every file system, also inside of a container.
  const storage = ['--root', `${folder}/storage`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs'];
  const buildah = (...words: readonly string[]): string =>
    execFileSync('buildah', [...storage, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

  makeBase(`${folder}/base`);
  const scratch = buildah('from', 'scratch');
  buildah('add', '--quiet', scratch, `${folder}/base`, '/');
  buildah('commit', '--quiet', '--format', 'docker', scratch, base);

  const flags = ['--quiet', '--format', 'docker', '--pull-never', '--layers=false', '--isolation', 'chroot'];
  const contexts = ['--build-context', `build=${buildStage}`, '--network', 'host'];
  buildah('build', ...flags, ...contexts, '--tag', 'weir', '--file', containerfile, buildStage);
  const container = buildah('from', '--pull-never', 'weir');
  const { config } = JSON.parse(buildah('inspect', '--type', 'image', '--format', '{{.Config}}', 'weir')) as {
    config: Config;
  };
  return { root: buildah('mount', container), config };
}

/** Fewer packages than the image of Debian has: those that the commands of the Containerfile and the launcher need, and libraries of Node. */
function makeBase(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(`${folder}/usr/${name}`, { recursive: true });
    symlinkSync(`usr/${name}`, `${folder}/${name}`);
  }
  const query = (...words: readonly string[]): readonly string[] =>
    execFileSync('dpkg-query', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\n');
  // The fields of dpkg-query have the form of template strings.
  const format = `\${Package}\t\${Pre-Depends}, \${Depends}\n`;
  const lines = query('--show', '--showformat', format).filter(Boolean);
  const dependencies = new Map(lines.map((line) => line.split('\t') as [string, string]));
  const packages = new Set<string>();
  const add = (name: string): void => {
    const depends = dependencies.get(name);
    if (depends === undefined || packages.has(name)) return;
    packages.add(name);
    for (const [, each = ''] of depends.matchAll(/(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]*)/g)) add(each);
  };
  for (const name of ['base-files', 'coreutils', 'dash', 'grep', 'mount', 'util-linux', 'libstdc++6']) add(name);
  const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  const files = query('--listfiles', ...packages).filter((path) => path.startsWith('/') && isFile(path));
  const copy = 'tar -C / -c -T - | tar -C "$0" -x --keep-directory-symlink';
  const input = files.map((path) => `${path.slice(1)}\n`).join('');
  execFileSync('sh', ['-c', copy, folder], { input, stdio: ['pipe', 'ignore', 'pipe'] });
}
