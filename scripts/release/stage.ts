// Makes the folder of a release for one platform: dist, launcher, documents, Node and the native part of koffi.
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { writeSbom } from './sbom.ts';
import { packageFolder, root, type Target, version } from './target.ts';

export function stage(target: Target, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const name of ['weir', 'hostlist-compiler']) cpSync(`${root}bin/${name}`, join(folder, 'bin', name));
  symlinkSync('bin/weir', join(folder, 'weir'));
  // Only users of the npm package need the types and the CommonJS build.
  const isOfLibrary = (path: string): boolean => /^(types|commonjs)(\/|$)/.test(path.slice(`${root}dist/`.length));
  cpSync(`${root}dist`, join(folder, 'dist'), { recursive: true, filter: (path) => !isOfLibrary(path) });
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs', 'examples'])
    cpSync(root + name, join(folder, name), { recursive: true });
  const manifest = { name: 'weir-dns', version, license: 'Apache-2.0', private: true, type: 'module' };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  addKoffi(target, join(folder, 'node_modules'));
  if (target.node) addNode(target, join(folder, 'node'));
  writeSbom(target, join(folder, 'sbom.cdx.json'));
}

/** Leaves out its C++ sources and the binaries of other platforms. */
function addKoffi({ arch, libc }: Target, modules: string): void {
  const isNeeded = (path: string): boolean => ['', '.cjs', '.js', '.json', '.txt'].includes(extname(path));
  const koffi = packageFolder('koffi');
  cpSync(koffi, join(modules, 'koffi'), {
    recursive: true,
    filter: (path) => isNeeded(path) && !/\/(doc|vendor|lib)$/.test(path),
  });
  const native = `@koromix/koffi-linux-${arch}`;
  const binary = `${libc === 'musl' ? 'musl' : 'linux'}_${arch}`;
  for (const name of ['package.json', 'index.js', binary])
    cpSync(join(packageFolder(native), name), join(modules, native, name), { recursive: true });
}

function addNode({ arch }: Target, folder: string): void {
  const node = packageFolder(`node-linux-${arch}`);
  for (const name of ['bin/node', 'LICENSE']) cpSync(join(node, name), join(folder, name));
}
