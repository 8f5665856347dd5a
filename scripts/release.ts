// `npm run release -- archive deb`: archives and Debian packages of all platforms in release/, with SHA256SUMS. --arch, --libc and --out choose fewer and
// another folder; --fast compresses less.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
  // For the container image: the folder as it is.
  folder: (target, folder) => {
    stage(target, join(folder, 'weir'));
    return 'weir';
  },
  deb: (target, folder) => makeDeb(target, folder, values.fast),
};

// Container tools and Debian say amd64.
const wantedArch = values.arch === 'amd64' ? 'x64' : values.arch;
const wanted = targets.filter(({ arch, libc }) => arch === (wantedArch ?? arch) && libc === (values.libc ?? libc));
const unknown = positionals.filter((kind) => !Object.hasOwn(makers, kind));
if (positionals.length === 0 || unknown.length > 0 || wanted.length === 0) {
  console.error(
    `usage: npm run release -- ${Object.keys(makers).join(' ')} [--arch x64|arm64] [--libc glibc|musl] [--out FOLDER] [--fast]`,
  );
  process.exit(1);
}

const folder = resolve(values.out);
// Debian has glibc.
for (const kind of positionals)
  for (const target of wanted.filter(({ libc }) => kind !== 'deb' || libc === 'glibc')) {
    const file = makers[kind]!(target, folder);
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
