// Builds the Debian package: the release folder in /usr/lib/weir, the systemd unit, settings in /etc/weir.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stage } from './stage.ts';
import { root, type Target, version } from './target.ts';

const deploy = `${root}deploy/`;
const architectures = { x64: 'amd64', arm64: 'arm64' } as const;

/** Writes weir_VERSION_ARCH.deb to the folder and returns its name. */
export function makeDeb(target: Target, folder: string, isFast: boolean): string {
  const arch = architectures[target.arch];
  const name = `weir_${version}_${arch}`;
  const tree = join(folder, name);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, 'usr/lib'), { recursive: true });
  stage(target, join(tree, 'usr/lib/weir'));
  addSystemFiles(tree);
  const size = execFileSync('du', ['-sk', tree], { encoding: 'utf8' }).split('\t')[0]!;
  const control = readFileSync(`${deploy}debian/control`, 'utf8');
  const values: Readonly<Record<string, string>> = { VERSION: version, ARCH: arch, SIZE: size };
  const filled = control.replaceAll(/@(\w+)@/g, (_, key: string) => values[key]!);
  writeFileSync(join(tree, 'DEBIAN/control'), filled);
  const compression = isFast ? ['-Znone'] : ['-Zxz', '-z6'];
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, join(folder, `${name}.deb`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(tree, { recursive: true });
  return `${name}.deb`;
}

function addSystemFiles(tree: string): void {
  const put = (from: string, to: string, mode: number): void => {
    cpSync(deploy + from, join(tree, to));
    chmodSync(join(tree, to), mode);
  };
  put('systemd/weir.service', 'lib/systemd/system/weir.service', 0o644);
  put('debian/weir.yaml', 'etc/weir/weir.yaml', 0o644);
  put('debian/weir-free-port-53', 'usr/sbin/weir-free-port-53', 0o755);
  for (const script of ['postinst', 'prerm', 'postrm']) put(`debian/${script}`, `DEBIAN/${script}`, 0o755);
  writeFileSync(join(tree, 'DEBIAN/conffiles'), '/etc/weir/weir.yaml\n');
  mkdirSync(join(tree, 'usr/bin'));
  for (const command of ['weir', 'hostlist-compiler'])
    symlinkSync(`../lib/weir/bin/${command}`, join(tree, 'usr/bin', command));
  const documents = join(tree, 'usr/share/doc/weir');
  mkdirSync(documents, { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'docs', 'examples', 'sbom.cdx.json'])
    renameSync(join(tree, 'usr/lib/weir', name), join(documents, name));
  renameSync(join(tree, 'usr/lib/weir/LICENSE'), join(documents, 'copyright'));
}
