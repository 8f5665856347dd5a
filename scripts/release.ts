// `npm run release -- archive deb npm` writes the archives and Debian packages of all platforms, and the npm package, to release/, with SHA256SUMS.
// --arch and --libc select platforms, --out another folder; --fast compresses less.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeArchive } from './release/archive.ts';
import { makeDeb } from './release/deb.ts';
import { stage } from './release/stage.ts';
import { root, type Target, targets } from './release/target.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arch: { type: 'string' },
    libc: { type: 'string' },
    out: { type: 'string', default: `${root}release` },
    fast: { type: 'boolean', default: false },
  },
});

const makers: Readonly<Record<string, (target: Target, folder: string) => string>> = {
  archive: (target, folder) => makeArchive(target, folder, values.fast),
  // Used by the container image: the folder, not packed.
  folder: (target, folder) => {
    stage(target, join(folder, 'weir'));
    return 'weir';
  },
  deb: (target, folder) => makeDeb(target, folder, values.fast),
};

/** Runs `npm pack` on the existing build: with `ignore-scripts` set, npm would not build it. */
function makeNpmPackage(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const packed = execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return (JSON.parse(packed) as [{ filename: string }])[0].filename;
}

// Container tools and Debian call x64 amd64.
const wantedArch = values.arch === 'amd64' ? 'x64' : values.arch;
const wanted = targets.filter(({ arch, libc }) => arch === (wantedArch ?? arch) && libc === (values.libc ?? libc));
const kinds = [...Object.keys(makers), 'npm'];
const unknown = positionals.filter((kind) => !kinds.includes(kind));
if (positionals.length === 0 || unknown.length > 0 || wanted.length === 0) {
  console.error(
    `usage: npm run release -- ${kinds.join(' ')} [--arch x64|arm64] [--libc glibc|musl] [--out FOLDER] [--fast]`,
  );
  process.exit(1);
}

const folder = resolve(values.out);
// Debian uses glibc.
const targetsOf = (kind: string): readonly Target[] => wanted.filter(({ libc }) => kind !== 'deb' || libc === 'glibc');
for (const kind of positionals) {
  const maker = makers[kind];
  const made = maker ? targetsOf(kind).map((target) => maker(target, folder)) : [makeNpmPackage(folder)];
  for (const file of made)
    console.log(`${join(folder, file)}: ${(statSync(join(folder, file)).size / 1e6).toFixed(1)} MB`);
}
const files = readdirSync(folder).filter((name) => /\.(tar\.xz|deb|tgz)$/.test(name));
const sums = files.map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}\n`,
);
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
