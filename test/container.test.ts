import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readSettings } from '../src/settings/settings.ts';
import { type BuiltImage, buildImage } from './support/packaging/built-image.ts';
import { inCopyOfSystem, noCopyOfSystem } from './support/packaging/copy-of-system.ts';
import { missing } from './support/programs.ts';

// Base images cannot be downloaded everywhere, so the commands of the build stage are run in this checkout, and buildah builds the image
// with their output and a base image of Debian packages. The image runs with a read-only root and its own network. Without buildah
// the commands of the last stage are run in a copy of this system.

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'weir-container-'));
after(() => rmSync(folder, { recursive: true }));
const skip = noCopyOfSystem();
const withoutBuildah = skip || missing('buildah', 'dpkg-query');
let image: BuiltImage | undefined;

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

const healthCheck = argumentOf('HEALTHCHECK').replace(/^.* CMD /, '');

before(() => {
  if (skip) return;
  const [, command = ''] = instructions.find(([name, value]) => name === 'RUN' && value.includes('release.ts')) ?? [];
  const [setUp, release] = command.split(' && ');
  assert.equal(setUp, 'node scripts/set-up.js');
  // The stage has the Node that these tests run on.
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, TARGETARCH: arch() === 'x64' ? 'amd64' : arch() };
  execFileSync('sh', ['-c', release!.replace('/out', `${folder}/stage/out`)], { cwd: root, env, stdio: 'ignore' });
  const containerfile = `${root}deploy/container/Containerfile`;
  if (!withoutBuildah)
    image = buildImage(folder, { containerfile, base: lastStage[0]![1], buildStage: `${folder}/stage` });
});

test('every base image has a version, and the image does not run as root', () => {
  const images = instructions.filter(([name]) => name === 'FROM').map(([, value]) => value);
  for (const image of images) assert.match(image, /docker\.io\/library\/\w+:(?!latest)\S+/);
  assert.match(argumentOf('USER'), /^[1-9]\d*:[1-9]\d*$/);
});

test('buildah builds the image, with its user, volume, command and health check', { skip: withoutBuildah }, () => {
  const { config } = image!;
  assert.equal(config.User, argumentOf('USER'));
  assert.deepEqual(Object.keys(config.Volumes), [argumentOf('VOLUME')]);
  assert.deepEqual(config.Entrypoint, JSON.parse(argumentOf('ENTRYPOINT')));
  assert.deepEqual(config.Cmd, JSON.parse(argumentOf('CMD')));
  assert.deepEqual(config.Healthcheck.Test, ['CMD', ...(JSON.parse(healthCheck) as string[])]);
});

/** The last stage of the Containerfile, in a copy of this system. */
function lastStageAsScript(): string {
  const [from = '', to = ''] = argumentOf('COPY').replace('--from=build ', '').split(' ');
  return `mkdir -p ${to}; mount --bind /packages/stage${from} ${to}; ${argumentOf('RUN')}`;
}

const dnsQuery = `const { Resolver } = require('node:dns/promises');
const resolver = new Resolver();
resolver.setServers(['127.0.0.1']);
resolver.resolve4('localhost').then(console.log, ({ code }) => console.log(code));`;

test('the image runs without root on a read-only root, answers DNS, is healthy, and stops in order', { skip }, () => {
  const [uid, gid] = argumentOf('USER').split(':');
  const data = argumentOf('VOLUME');
  const asUser = `setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set -all --inh-caps -all`;
  const health = wordsOf(healthCheck);
  const [node = ''] = JSON.parse(healthCheck) as string[];
  const output = inCopyOfSystem(
    folder,
    `
${image ? '' : lastStageAsScript()}
stat -c '%n %u %g %a' ${data}
mount -t tmpfs -o mode=700,uid=${uid},gid=${gid} tmpfs ${data}
echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start
mount -o remount,ro /
if touch /writable 2>/dev/null; then echo the root is writable; fi
${asUser} ${wordsOf(argumentOf('ENTRYPOINT'))} ${wordsOf(argumentOf('CMD'))} >/tmp/log 2>&1 &
pid=$!
for i in $(seq 600); do
  if grep -q ' listening ' /tmp/log && ${asUser} ${health}; then healthy=yes; break; fi
  kill -0 $pid || break
  sleep 0.1
done
[ "\${healthy:-}" = yes ] || cat /tmp/log
grep -o 'listening .*' /tmp/log | grep -o '"port":[0-9]*' | tr '\\n' ' '
echo
${node} -e "${dnsQuery}"
kill $pid; wait $pid; echo stopped $?
`,
    image?.root,
  );
  assert.deepEqual(output.trim().split('\n'), [
    `${data} ${uid} ${gid} 700`,
    '"port":53 "port":853 "port":443 ',
    // No account exists yet, so every client is unknown.
    'EREFUSED',
    'stopped 0',
  ]);
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
