// Writes the licences of the npm packages that are bundled into dist/, because bundling drops their licence files.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type BundledPackage = { readonly name: string; readonly version: string; readonly license: string };

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** `modules`: paths of all bundled files. */
export function writeNotices(folder: string, modules: readonly string[]): void {
  const folders = modules.flatMap(
    (path) => PACKAGE_FOLDER.exec(path.replace(/^\0+/, '').replace(/\?.*$/, ''))?.[0] ?? [],
  );
  const found = [...new Set(folders)].map((path) => ({ path, ...manifestOf(path) }));
  // npm may install the same version in several folders.
  const byVersion = new Map(found.map((each) => [`${each.name}@${each.version}`, each]));
  const packages = [...byVersion.values()].sort(byName);
  writeFileSync(
    join(folder, 'packages.json'),
    `${JSON.stringify(
      packages.map(({ name, version, license }): BundledPackage => ({ name, version, license })),
      null,
      2,
    )}\n`,
  );
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), packages.map(noticeOf).join('\n'));
}

const byName = (a: BundledPackage, b: BundledPackage): number => (a.name < b.name ? -1 : 1);

const manifestOf = (path: string): BundledPackage =>
  JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as BundledPackage;

function noticeOf({ path, name, version, license }: BundledPackage & { readonly path: string }): string {
  const files = readdirSync(path).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n\n${'-'.repeat(80)}\n`;
}
