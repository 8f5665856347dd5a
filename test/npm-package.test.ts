import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version } from '../scripts/release/target.ts';
import { serveInstalled } from './support/installed.ts';
import { documentedCommand } from './support/packaging/documented.ts';

// The package as `npm run release -- npm` makes it, installed into a project under its own name and under that of the original.

const root = fileURLToPath(new URL('..', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'weir-package-'));
after(() => rmSync(parent, { recursive: true }));
const project = join(parent, 'my-project');
mkdirSync(project);

/** Node 20, where the system has it: users of the library have it. */
const nodes = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path));
const MAX_BYTES = 15_000_000;

const run = (program: string, words: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(program, words, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: project, ...env },
  });

function output(program: string, words: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = run(program, words, env);
  assert.equal(status, 0, `${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.map((name) => statSync(join(folder, name))).reduce((sum, file) => sum + file.size, 0);
}

before(() => {
  // `npm run tests` built dist before.
  const out = join(parent, 'weir/release');
  execFileSync(process.execPath, [`${root}scripts/release.ts`, 'npm', '--out', out], { stdio: 'ignore' });
  const dependencies = { '@adguard/hostlist-compiler': `file:../weir/release/weir-dns-${version}.tgz` };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'user', dependencies }));
  writeFileSync(join(project, 'rules.txt'), '||ads.example.org^\n||sub.ads.example.org^\n');
  // Omits koffi, which is optional and the only package that needs the network.
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_loglevel: 'error' };
  const install = documentedCommand('docs/install.md', 'npm', 'npm install');
  output('sh', ['-c', install], { npm_config_offline: 'true', npm_config_omit: 'optional', ...quiet });
});

test('the package installs no other packages and no node command', () => {
  const programs = readdirSync(join(project, 'node_modules/.bin'));
  assert.deepEqual(programs.sort(), ['hostlist-compiler', 'weir', 'weir-dns']);
  const packages = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(packages.sort(), ['@adguard', 'weir-dns']);
});

test('the installed size is below 15 MB, koffi included', (t) => {
  const own = bytesIn(join(project, 'node_modules/weir-dns'));
  const koffi = ['koffi', '@koromix'].map((name) => join(root, 'node_modules', name)).filter(existsSync);
  const bytes = own + koffi.map(bytesIn).reduce((sum, each) => sum + each, 0);
  t.diagnostic(`installed: ${(own / 1e6).toFixed(1)} MB, with koffi ${(bytes / 1e6).toFixed(1)} MB`);
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`);
});

test('the documented command compiles', () => {
  output('sh', ['-c', documentedCommand('docs/install.md', 'npm', 'npx')]);
  assert.match(readFileSync(join(project, 'list.txt'), 'utf8'), /^\|\|ads\.example\.org\^$/m);
});

const configuration = "{ name: 'List', sources: [{ source: 'rules.txt' }], transformations: ['Compress'] }";

for (const node of nodes) {
  for (const name of ['weir-dns', 'weir-dns/compiler', '@adguard/hostlist-compiler']) {
    test(`${node}: the library is imported and required as ${name}`, () => {
      writeFileSync(
        join(project, 'import.mjs'),
        `import compile, { compile as named } from '${name}';
         const lines = await compile(${configuration});
         console.log(lines.at(-1), compile === named);`,
      );
      assert.equal(output(node, ['import.mjs']), '||ads.example.org^ true\n');
      writeFileSync(
        join(project, 'require.cjs'),
        `const compile = require('${name}');
         const { compile: named, transform } = compile;
         compile(${configuration}).then((lines) => console.log(lines.at(-1), compile === named, transform(['a '], ['TrimLines'])));`,
      );
      assert.equal(output(node, ['require.cjs']), "||ads.example.org^ true [ 'a' ]\n");
    });
  }

  test(`${node}: the client library is imported and required, and calls a service`, async (t) => {
    const server = createServer((_request, response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"not allowed"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const use = `createClient({ baseUrl: 'http://127.0.0.1:${port}', apiKey: 'k' }).request('GET /oapi/v1/devices')
      .catch((error) => console.log(error instanceof WeirError, error.status, error.reason));`;
    writeFileSync(
      join(project, 'client.mjs'),
      `import { createClient, WeirError } from 'weir-dns/client';\nawait ${use}`,
    );
    writeFileSync(
      join(project, 'client.cjs'),
      `const { createClient, WeirError } = require('weir-dns/client');\n${use}`,
    );
    for (const file of ['client.mjs', 'client.cjs']) {
      const { stdout } = await promisify(execFile)(node, [file], { cwd: project });
      assert.equal(stdout, 'true 403 not allowed\n');
    }
  });

  test(`${node}: the commands compile`, (t) => {
    const inPath = { PATH: `${node.slice(0, node.lastIndexOf('/'))}:/bin:/usr/bin` };
    for (const [program, ...words] of [['weir', 'compile'], ['weir-dns', 'compile'], ['hostlist-compiler']] as const) {
      const flags = ['-i', 'rules.txt', '-o', 'list.txt', '--quiet'];
      output(`node_modules/.bin/${program}`, [...words, ...flags], inPath);
      assert.match(readFileSync(join(project, 'list.txt'), 'utf8'), /^\|\|ads\.example\.org\^$/m);
      rmSync(join(project, 'list.txt'));
    }
    const startedAt = performance.now();
    output(node, ['-e', "require('weir-dns')"]);
    t.diagnostic(`Node with the library: ${(performance.now() - startedAt).toFixed(0)} ms`);
  });
}

test('members that are undefined count as absent', () => {
  const words = `require('weir-dns')({ name: 'List', description: undefined, sources: [{ source: 'rules.txt', name: undefined }] })`;
  assert.match(output(process.execPath, ['-e', `${words}.then((lines) => console.log(lines.length))`]), /^\d+\n$/);
});

const clientExample = `import { createClient, type Device, WeirError } from 'weir-dns/client';
const weir = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'k' });
export const names = async (): Promise<string[]> => {
  const devices: Device[] = await weir.request('GET /oapi/v1/devices');
  const { reply, etag } = await weir.exchange('GET /oapi/v1/devices/{device_id}', { params: { device_id: 'a' } });
  await weir.request('PUT /oapi/v1/devices/{device_id}', { params: { device_id: reply.id }, body: { name: 'b' }, ifMatch: etag });
  return devices.map(({ name }) => name);
};
export const statusOf = (error: unknown): number => (error instanceof WeirError ? error.status : 0);
export const wrong = [
  // @ts-expect-error: unknown path
  () => weir.request('GET /oapi/v1/device'),
  // @ts-expect-error: missing path parameter
  () => weir.request('GET /oapi/v1/devices/{device_id}'),
  // @ts-expect-error: wrong type of a member
  () => weir.request('POST /oapi/v1/dns_servers', { body: { name: 1 } }),
  // @ts-expect-error: the operation has no If-Match
  () => weir.request('GET /oapi/v1/devices', { ifMatch: '"1"' }),
];
`;

test('TypeScript accepts the examples of the original and uses of the client, in both kinds of modules', () => {
  const example = (
    name: string,
  ): string => `import HostlistCompiler, { type IConfiguration, type ISource, type SourceType, type Transformation } from '${name}';
const kind: SourceType = 'adblock';
const steps: Transformation[] = ['RemoveComments', 'Validate'];
const source: ISource = { type: kind, source: 'rules.txt', transformations: steps };
const config: IConfiguration = { name: 'Your Hostlist', sources: [source], transformations: ['Deduplicate'] };
config.sources.push({ source: 'rules.txt' });
export const lines: Promise<string[]> = HostlistCompiler(config);
// @ts-expect-error: it is not a configuration
export const wrong = HostlistCompiler({ name: 1 });
`;
  writeFileSync(join(project, 'user.mts'), example('@adguard/hostlist-compiler'));
  writeFileSync(join(project, 'user.cts'), example('@adguard/hostlist-compiler'));
  writeFileSync(
    join(project, 'named.cts'),
    "import { compile, type Report } from 'weir-dns/compiler';\nexport const lines: Promise<string[]> = compile({ name: 'x', sources: [] });\nexport type R = Report;\n",
  );
  for (const kind of ['mts', 'cts']) writeFileSync(join(project, `client.${kind}`), clientExample);
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--esModuleInterop',
    '--types',
    'node',
  ];
  const roots = ['--typeRoots', join(root, 'node_modules/@types')];
  output(join(root, 'node_modules/.bin/tsc'), [
    ...flags,
    ...roots,
    'user.mts',
    'user.cts',
    'named.cts',
    'client.mts',
    'client.cts',
  ]);
});

test('the service runs from the package, with the pages of the web interface', async (t) => {
  const service = await serveInstalled(t, join(project, 'node_modules/.bin/weir'));
  assert.match(await (await fetch(service.url)).text(), /<script/);
  assert.equal(await service.stop(), 0);
});

/** Simulates Windows for the launcher. */
const asOnWindows = {
  NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`,
};

test('on Windows the compiler works, and other commands say where they work', () => {
  const launcher = join(project, 'node_modules/weir-dns/bin/weir.js');
  output(process.execPath, [launcher, 'compile', '-i', 'rules.txt', '-o', '-', '--quiet'], asOnWindows);
  const { status, stderr } = run(process.execPath, [launcher, 'serve'], asOnWindows);
  assert.equal(status, 1);
  assert.match(stderr, /^weir: on Windows only "weir compile" works\. .*Windows Subsystem for Linux/);
});

test('a package without dist says what is missing', () => {
  rmSync(join(project, 'node_modules/weir-dns/dist'), { recursive: true });
  const { status, stderr } = run('node_modules/weir-dns/bin/weir.js', ['compile']);
  assert.equal(status, 1);
  assert.match(stderr, /this package has no folder dist: it was packed before "npm run build"/);
});
