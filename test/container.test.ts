import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readSettings } from '../src/settings/settings.ts';
import { inCopyOfSystem, noCopyOfSystem } from './support/packaging/copy-of-system.ts';
import { missing } from './support/programs.ts';

// Base images cannot be downloaded everywhere, so the commands of the Containerfile are run without a container tool: the build
// stage in this checkout, the image in a copy of this system with a read-only root and its own network. Where podman and mmdebstrap
// are installed, the image itself is built too, with the output of that build stage and a base image of Debian packages.

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'weir-container-'));
after(() => rmSync(folder, { recursive: true }));
const skip = noCopyOfSystem();

const text = readFileSync(`${root}deploy/container/Containerfile`, 'utf8');
const instructions = text
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^(\S+) (.*)$/.exec(line)!.slice(1) as [string, string]);
const lastStage = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
const argumentOf = (name: string): string =>
  lastStage.find(([each]) => each === name)?.[1] ?? assert.fail(`no ${name}`);
const wordsOf = (json: string): string =>
  (JSON.parse(json) as string[]).map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

before(() => {
  if (skip) return;
  const [, command = ''] = instructions.find(([name, value]) => name === 'RUN' && value.includes('release.ts')) ?? [];
  const [setUp, release] = command.split(' && ');
  assert.equal(setUp, 'node scripts/set-up.js');
  const env = { ...process.env, TARGETARCH: arch() === 'x64' ? 'amd64' : arch() };
  execFileSync('sh', ['-c', release!.replace('/out', folder)], { cwd: root, env, stdio: 'ignore' });
});

test('every base image has a version, and the image does not run as root', () => {
  const images = instructions.filter(([name]) => name === 'FROM').map(([, value]) => value);
  for (const image of images) assert.match(image, /docker\.io\/library\/\w+:(?!latest)\S+/);
  assert.match(argumentOf('USER'), /^[1-9]\d*:[1-9]\d*$/);
});

test('the image runs without root on a read-only root, is healthy, and stops in order', { skip }, () => {
  const [uid, gid] = argumentOf('USER').split(':');
  const [from = '', to = ''] = argumentOf('COPY').replace('--from=build ', '').split(' ');
  assert.equal(from, '/out/weir');
  const makeData = /install -d .*$/.exec(argumentOf('RUN'))![0];
  const asUser = `setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set -all --inh-caps -all`;
  const health = wordsOf(argumentOf('HEALTHCHECK').replace(/^.* CMD /, ''));
  const output = inCopyOfSystem(
    folder,
    `
mkdir -p ${to}; mount --bind /packages/weir ${to}
${makeData}; mount -t tmpfs -o mode=700,uid=${uid},gid=${gid} tmpfs ${argumentOf('VOLUME')}
echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start
mount -o remount,ro /
if touch /writable 2>/dev/null; then echo the root is writable; fi
${asUser} ${wordsOf(argumentOf('ENTRYPOINT'))} ${wordsOf(argumentOf('CMD'))} >/tmp/log 2>&1 &
pid=$!
for i in $(seq 600); do
  if ${asUser} ${health}; then healthy=yes; break; fi
  kill -0 $pid || break
done
[ "\${healthy:-}" = yes ] || cat /tmp/log
grep -o 'listening .*' /tmp/log | grep -o '"port":[0-9]*' | tr '\\n' ' '
kill $pid; wait $pid; echo stopped $?
`,
  );
  assert.equal(output, '"port":53 "port":853 "port":443 stopped 0\n');
});

const withoutPodman = skip || missing('podman', 'mmdebstrap');

test('podman builds the image, with its user, volume and health check', { skip: withoutPodman }, (t) => {
  const storage = `${folder}/storage`;
  const places = [
    '--root',
    storage,
    '--runroot',
    `${folder}/run`,
    '--storage-driver',
    'vfs',
    '--events-backend',
    'none',
  ];
  const podman = (...words: readonly string[]): string =>
    execFileSync('podman', [...places, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [, base] = lastStage[0]!;
  execFileSync('mmdebstrap', ['--quiet', '--variant=apt', 'bookworm', `${folder}/base.tar`], { stdio: 'ignore' });
  podman('import', '--quiet', `${folder}/base.tar`, base);
  mkdirSync(`${folder}/stage/out`, { recursive: true });
  execFileSync('cp', ['-al', `${folder}/weir`, `${folder}/stage/out/weir`]);
  const building = [
    '--format',
    'docker',
    '--pull=never',
    '--layers=false',
    '--isolation',
    'chroot',
    '--network',
    'host',
  ];
  const file = `${root}deploy/container/Containerfile`;
  podman('build', ...building, '--build-context', `build=${folder}/stage`, '-t', 'weir', '-f', file, `${folder}/stage`);
  const [image] = JSON.parse(podman('image', 'inspect', 'weir')) as [
    { Config: Record<string, unknown>; Healthcheck?: { Test: string[] }; Size: number },
  ];
  t.diagnostic(`image: ${Math.round(image.Size / 1e6)} MB`);
  assert.deepEqual([image.Config['User'], image.Config['Volumes']], ['65532:65532', { '/data': {} }]);
  assert.match(image.Healthcheck?.Test.join(' ') ?? '', /health\/ready/);
  // The program runs with the libraries of the image alone.
  const mounted = podman('image', 'mount', 'weir').trim();
  const version = execFileSync('chroot', ['--userspec=65532:65532', mounted, '/usr/lib/weir/bin/weir', '--version'], {
    encoding: 'utf8',
  });
  podman('image', 'unmount', 'weir');
  assert.match(version, /\d+\.\d+\.\d+/);
});

type Compose = {
  services: Record<string, { ports?: string[]; environment?: Record<string, string>; read_only?: boolean }>;
};

test('the compose files publish the ports of the image, and their settings are valid', async () => {
  const read = (name: string): Compose => parse(readFileSync(`${root}deploy/container/${name}`, 'utf8')) as Compose;
  const alone = read('compose.yaml').services['weir']!;
  assert.equal(alone.read_only, true);
  const published = alone.ports!.map((port) => port.replace(/^\d+:/, ''));
  assert.deepEqual(published.sort(), argumentOf('EXPOSE').split(' ').sort());
  const postgresql = read('compose-postgresql.yaml').services['weir']!;
  const env = { ...alone.environment, ...postgresql.environment };
  await mustBeValid(env);
});

test('the settings of the cluster example are valid', async () => {
  const { services } = parse(readFileSync(`${root}examples/cluster/compose.yaml`, 'utf8'), { merge: true }) as Compose;
  const nodes = Object.values(services).filter(({ environment }) => environment?.['WEIR_ROLE'] !== undefined);
  assert.equal(nodes.length, 4);
  for (const { environment, read_only } of nodes) {
    assert.equal(read_only, true);
    await mustBeValid(environment!);
  }
});

/** Values are filled in as compose does: a default, or the value of the variable. */
async function mustBeValid(environment: Readonly<Record<string, string>>): Promise<void> {
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\w+(?::-([^}]*)|[^}]*)\}/g, (_, preset?: string) => preset || 'x'),
  ]);
  const settings = await readSettings({
    words: [],
    env: Object.fromEntries(filled) as Record<string, string>,
    cwd: root,
  });
  assert.ok(settings.ok, String(!settings.ok && settings.error));
}
