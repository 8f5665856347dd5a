import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { queryFor } from '../src/dns/message.ts';
import { classes, types } from '../src/dns/numbers.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { until } from './support/dns.ts';
import { serveInstalled } from './support/installed.ts';
import { inCopyOfSystem, noCopyOfSystem } from './support/packaging/copy-of-system.ts';
import { documentedCommand, documentedCommands } from './support/packaging/documented.ts';
import { name } from './support/resolver/upstream/messages.ts';
import { askUdp } from './support/resolver.ts';

// The archive of this platform, unpacked and run.

const root = fileURLToPath(new URL('..', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'weir-release-'));
// Another user runs the program.
chmodSync(parent, 0o755);
after(() => rmSync(parent, { recursive: true }));
const folder = join(parent, 'release');
const unpack = documentedCommand('docs/install.md', 'Release archive', 'cd release');
const serve = documentedCommand('docs/install.md', 'Release archive', './weir-');
let checked = '';
const MAX_BYTES = 70_000_000;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
const release = `weir-${version}-linux-${arch()}`;

before(() => {
  const words = ['archive', '--arch', arch(), '--fast', '--out', folder];
  execFileSync(process.execPath, [`${root}scripts/release.ts`, ...words], { stdio: 'ignore' });
  execFileSync('tar', ['-xJf', `${release}-musl.tar.xz`], { cwd: folder });
  checked = execFileSync('sh', ['-c', unpack], { cwd: parent, encoding: 'utf8' });
});

test('the archives have checksums and less than 70 MB', () => {
  assert.match(checked, /linux-.*: OK/);
  const sizes = readdirSync(folder)
    .filter((file) => file.endsWith('.tar.xz'))
    .map((file) => statSync(join(folder, file)).size);
  assert.equal(sizes.length, 2);
  for (const size of sizes) assert.ok(size < MAX_BYTES, `${size} bytes`);
});

test('the unpacked program runs on the Node inside of it, and answers DNS', async (t) => {
  const startedAt = performance.now();
  const service = await serveInstalled(t, join(folder, serve.split(' ')[0]!), ['--log-level', 'debug']);
  const query = writeMessage(queryFor({ name: name('localhost'), type: types.A, class: classes.IN }, 1));
  await until('an answer', async () =>
    (await askUdp(service.dnsPort, query, 50)).kind === 'answer' ? true : undefined,
  );
  t.diagnostic(`first answer after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  assert.equal(readlinkSync(`/proc/${service.pid}/exe`), join(folder, release, 'node/bin/node'));
  assert.ok(readFileSync(`/proc/${service.pid}/maps`, 'utf8').includes('/koffi.node'), 'koffi is not loaded');
  assert.match(await (await fetch(service.url)).text(), /<script/);
  assert.equal(await service.stop(), 0);
});

const asDocumented = documentedCommands('docs/operations.md', 'Without root');

test('started by root with the documented commands, the program runs as the named user', {
  skip: noCopyOfSystem(),
}, () => {
  assert.equal(asDocumented.length, 2);
  const [addUser, serveAsUser] = asDocumented;
  const output = inCopyOfSystem(
    parent,
    `
PATH=/packages/release/${release}:$PATH
if getent passwd weir >/dev/null; then userdel weir; fi
mkfifo /tmp/log
${addUser}
${serveAsUser} >/tmp/log 2>&1 &
pid=$!
while read -r line; do
  case $line in *' listening '*) echo "$line" | grep -o '"port":[0-9]*' | tr '\\n' ' '; stat -c %U /proc/$pid; kill $pid ;; esac
done </tmp/log
wait $pid; echo stopped $?
`,
  );
  assert.equal(output, '"port":53 "port":853 "port":443 weir\nstopped 0\n');
});

test('the archive for musl has no Node and takes that of the system', () => {
  const musl = join(folder, `${release}-musl`);
  assert.ok(!readdirSync(musl).includes('node'));
  const env = { PATH: `${process.execPath.slice(0, process.execPath.lastIndexOf('/'))}:/usr/bin:/bin` };
  assert.equal(execFileSync(join(musl, 'weir'), ['--version'], { env, encoding: 'utf8' }).trim(), version);
});

test('the bill of materials has the bundled packages, the native code and Node', () => {
  const bom = JSON.parse(readFileSync(join(folder, release, 'sbom.cdx.json'), 'utf8')) as {
    bomFormat: string;
    components: { name: string; version: string; purl: string; licenses: { license?: { id?: string } }[] }[];
  };
  assert.equal(bom.bomFormat, 'CycloneDX');
  const names = bom.components.map((component) => component.name);
  for (const wanted of ['fastify', 'pg', 'react', '@mantine/core', 'swagger-ui-dist', 'koffi', 'node'])
    assert.ok(names.includes(wanted), wanted);
  assert.equal(new Set(bom.components.map(({ purl }) => purl)).size, bom.components.length);
  for (const { name: component, licenses } of bom.components) assert.ok(licenses[0]?.license?.id, component);
  const notices = readFileSync(join(folder, release, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  assert.match(notices, /^fastify [\d.]+ \(MIT\)\n\nMIT License/m);
});
