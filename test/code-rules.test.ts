import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

// The modules and their imports: ARCHITECTURE.md explains them. A folder that is not listed here does not exist.
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  platform: ['kit'],
  domain: ['kit'],
  rules: ['kit'],
  dns: ['kit'],
  engine: ['rules', 'kit'],
  compiler: ['rules', 'kit'],
  net: ['platform', 'kit'],
  acme: ['platform', 'kit'],
  ocsp: ['platform', 'kit'],
  http: ['kit'],
  postgres: ['kit'],
  store: ['domain', 'platform', 'postgres', 'kit'],
  'query-log': ['domain', 'platform', 'postgres', 'kit'],
  'list-sources': ['compiler', 'net', 'platform', 'kit'],
  'filter-lists': ['compiler', 'engine', 'rules', 'list-sources', 'net', 'domain', 'platform', 'kit'],
  operations: ['domain', 'kit'],
  'network-clients': ['dns', 'domain', 'platform', 'kit'],
  resolver: ['dns', 'engine', 'rules', 'domain', 'platform', 'kit'],
  'dns-server': ['resolver', 'dns', 'engine', 'rules', 'filter-lists', 'query-log', 'net', 'domain', 'platform', 'kit'],
  cluster: ['dns-server', 'filter-lists', 'query-log', 'store', 'http', 'domain', 'platform', 'kit'],
  api: ['http', 'operations', 'domain', 'kit'],
  'compile-api': ['http', 'compiler', 'list-sources', 'net', 'domain', 'platform', 'kit'],
  settings: ['domain', 'kit'],
  valkey: ['compile-api', 'domain', 'kit'],
  client: [],
  app: [
    'kit',
    'platform',
    'domain',
    'rules',
    'dns',
    'engine',
    'compiler',
    'net',
    'acme',
    'ocsp',
    'http',
    'postgres',
    'store',
    'query-log',
    'list-sources',
    'filter-lists',
    'operations',
    'network-clients',
    'resolver',
    'dns-server',
    'cluster',
    'api',
    'compile-api',
    'settings',
    'valkey',
  ],
  cli: ['app', 'operations', 'settings', 'compiler', 'list-sources', 'resolver', 'dns', 'rules', 'platform', 'kit'],
};

// Pure modules: no files, no sockets, no clock.
const cores = ['kit', 'domain', 'rules', 'engine', 'dns', 'compiler'];
const npmInCores = ['tldts-core', 'typebox', 'typebox/schema'];

const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The library's entry point supplies a default reader to callers that pass none.
  'compiler/index.ts': ['list-sources'],
  // The version is in package.json.
  'platform/version.ts': ['..'],
};

// Tables of data, which are exempt from the length limit.
const dataTables = [
  'client/operations.ts',
  'rules/public-suffixes.ts',
  'domain/catalogue/companies.ts',
  'domain/catalogue/web-services.ts',
];
const MAX_LINES = 400;

type SourceFile = { readonly path: string; readonly text: string };
type Broken = readonly string[];

const isTest = (path: string): boolean => path.endsWith('.test.ts');
const folderOf = (path: string): string => path.split('/')[0]!;

function imports(text: string): string[] {
  const found = text.matchAll(
    /(?:^|[;}\s])(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map((match) => (match[1] ?? match[2])!);
}

function importRuleBroken(sources: readonly SourceFile[]): Broken {
  return sources
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) =>
      imports(text)
        .filter((to) => to.startsWith('.'))
        .map((to) => folderOf(posix.normalize(posix.join(posix.dirname(path), to))))
        .filter((to) => to !== folderOf(path) && !allowedFrom(path).includes(to))
        .map((to) => `${path} -> ${to}`),
    );
}

const allowedFrom = (path: string): readonly string[] => [
  ...(mayImport[folderOf(path)] ?? []),
  ...(exceptions[path] ?? []),
];

const foldersUnlisted = (sources: readonly SourceFile[]): Broken => [
  ...new Set(sources.map(({ path }) => folderOf(path)).filter((folder) => !Object.hasOwn(mayImport, folder))),
];

/** Modules with an interface file: files outside import nothing below it. */
const closedModules = ['query-log'];

function importsBelowIndex(files: readonly SourceFile[]): Broken {
  return files
    .filter(({ path }) => !path.startsWith('test/support/'))
    .flatMap(({ path, text }) =>
      imports(text)
        .filter((to) => to.startsWith('.'))
        .map((to) => posix.normalize(posix.join(posix.dirname(path), to)))
        .filter((to) =>
          closedModules.some(
            (module) =>
              to.startsWith(`src/${module}/`) && to !== `src/${module}/index.ts` && !path.startsWith(`src/${module}/`),
          ),
        )
        .map((to) => `${path} -> ${to}`),
    );
}

const filesTooLong = (sources: readonly SourceFile[]): Broken =>
  sources
    .filter(({ path, text }) => !dataTables.includes(path) && text.split('\n').length > MAX_LINES)
    .map(({ path }) => path);

function coresThatReachOut(sources: readonly SourceFile[]): Broken {
  return sources
    .filter(({ path }) => cores.includes(folderOf(path)) && !isTest(path))
    .flatMap(({ path, text }) =>
      imports(text)
        .filter((to) => !to.startsWith('.') && !npmInCores.includes(to))
        .map((to) => `${path} -> ${to}`),
    );
}

/** The interface calls the service with the client library and imports the types of compiler configurations. */
const clientForWeb = /^(?:\.\.\/)+src\/client\/[\w-]+\.ts$/;
const typesForWeb = /^(?:\.\.\/)+src\/compiler\/configuration/;

// The rule editor marks errors with the parser of the service, a pure module that also runs in browsers.
const codeForWeb: Readonly<Record<string, RegExp>> = {
  'pages/servers/rules/rule-language.ts': /^(?:\.\.\/)+src\/rules\/(?:parse-rule|modifiers)\.ts$/,
  // The content security policy allows this domain.
  'pages/network/test-domain.ts': /^(?:\.\.\/)+src\/domain\/blocked-test-domain\.ts$/,
};

function webReachesIn(files: readonly SourceFile[]): Broken {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/import\s+(type\s)?[^'"]*?['"]((?:\.\.\/)+src\/[^'"]+)['"]/g)]
      .filter(([, isType, to]) => isType === undefined || !typesForWeb.test(to!))
      .filter(([, , to]) => !clientForWeb.test(to!) && !codeForWeb[path]?.test(to!))
      .map(([, , to]) => `${path} -> ${to}`),
  );
}

// Each can run script or markup from text that users control.
const dangerous = ['dangerouslySetInnerHTML', 'innerHTML', 'insertAdjacentHTML', 'document.write', 'eval('];
const webDangers = (files: readonly SourceFile[]): Broken =>
  files.flatMap(({ path, text }) => dangerous.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`));

// Tests wait for events or use their own clock. Longer sleeps need a reason.
const MAX_SLEEP_MS = 100;
const longSleeps: Readonly<Record<string, string>> = {
  'src/query-log/open-query-log.test.ts': 'records are stored without a request: any request would store them',
  'test/dns-temporary-rules.test.ts': 'a rule ends within a second: the service looks once a second',
  'test/resolver-degradation.test.ts': 'nothing may happen at the next look of the service, two seconds later',
  'test/support/platform/idle-gc-child.ts': 'the process must be idle between two looks at its memory',
  'test/support/faketime.ts': 'the service looks at the changed clock once a second',
};

/** Sleeps by a literal or a constant of the file, except on a mocked clock. */
function sleepsTooLong(files: readonly SourceFile[]): Broken {
  return files
    .filter(({ path, text }) => !Object.hasOwn(longSleeps, path) && !/fairTime\(|one-upstream\.ts'/.test(text))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/await (?:setTimeout|sleep|wait|delay)\(([\w *]+)\)|setTimeout\(resolve, ([\w *]+)\)/g)]
        .map(([sleep, awaited, resolved]) => ({ sleep, ms: valueIn(text, (awaited ?? resolved)!) }))
        .filter(({ ms }) => ms > MAX_SLEEP_MS)
        .map(({ sleep }) => `${path}: ${sleep}`),
    );
}

/** The value of a product of literals and constants of the file; 0 if it has other factors. */
function valueIn(text: string, product: string): number {
  const factors = product.split('*').map((factor) => {
    const word = factor.trim();
    const literal = /^\d/.test(word) ? word : new RegExp(`const ${word} = ([\\d_]+);`).exec(text)?.[1];
    return Number((literal ?? '0').replaceAll('_', ''));
  });
  return factors.reduce((one, other) => one * other);
}

const readAll = (folder: string, kind: RegExp): readonly SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => kind.test(path))
    .map((path) => ({ path, text: readFileSync(folder + path, 'utf8') }));

const root = fileURLToPath(new URL('../src/', import.meta.url));
const web = readAll(fileURLToPath(new URL('../web/', import.meta.url)), /\.tsx?$/);
const sources = readAll(root, /\.ts$/);
const under = (folder: string, kind: RegExp): readonly SourceFile[] =>
  readAll(fileURLToPath(new URL(`../${folder}/`, import.meta.url)), kind).map(({ path, text }) => ({
    path: `${folder}/${path}`,
    text,
  }));

test('folders import only what the dependency rule allows', () => {
  assert.deepEqual(importRuleBroken(sources), []);
});

test('no file outside a closed module imports below its index.ts', () => {
  assert.deepEqual(
    importsBelowIndex(['src', 'test', 'bench', 'scripts'].flatMap((folder) => under(folder, /\.ts$/))),
    [],
  );
});

test('no folder exists that the dependency rule does not know', () => {
  assert.deepEqual(foldersUnlisted(sources), []);
});

test('no source file is longer than 400 lines', () => {
  assert.deepEqual(filesTooLong([...sources, ...web]), []);
});

test('cores import nothing of the machine and from npm only a named few', () => {
  assert.deepEqual(coresThatReachOut(sources), []);
});

test('the web interface imports only the client, configuration types of src, and the rule parser in one file', () => {
  assert.ok(web.length > 20);
  assert.deepEqual(webReachesIn(web), []);
});

test('nothing in the web interface writes HTML', () => {
  assert.deepEqual(webDangers(web), []);
});

test('no test sleeps longer than 100 ms on the real clock without a reason', () => {
  const tests = [...under('src', /\.test\.ts$/), ...under('kernels', /\.test\.ts$/), ...under('test', /\.ts$/)];
  assert.ok(tests.length > 300);
  assert.deepEqual(sleepsTooLong(tests), []);
  const known = new Set(tests.map(({ path }) => path));
  assert.deepEqual(
    Object.keys(longSleeps).filter((path) => !known.has(path)),
    [],
  );
});

const leadingPaths = (line: string): string[] =>
  /^ *((?:, )?(?:[\w-]+\/)+[\w.-]+\.tsx?\b)+/.exec(line)?.[0].trim().split(', ') ?? [];

/** The files that ARCHITECTURE.md lists for each flow. */
const flowFiles = (architecture: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...architecture.matchAll(/^### (Flow \d: [^\n]+)\n\n```\n(.*?)```/gms)].map(([, name, list]) => [
      name!,
      list!.split('\n').flatMap(leadingPaths),
    ]),
  );

const MAX_FLOW_FILES = 12;
const MAX_DNS_FLOW_FILES = 16;

test('the flows of ARCHITECTURE.md list existing files, few, and each once', () => {
  const flows = flowFiles(readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8'));
  assert.equal(flows.size, 6);
  const files = new Set([...sources.map(({ path }) => path), ...web.map(({ path }) => `web/${path}`)]);
  for (const [name, paths] of flows) {
    const max = name.includes('DNS query') ? MAX_DNS_FLOW_FILES : MAX_FLOW_FILES;
    assert.ok(paths.length > 5 && paths.length <= max, `${name}: ${paths.length} files`);
    assert.equal(new Set(paths).size, paths.length, `${name} lists a file twice`);
    assert.deepEqual(
      paths.filter((path) => !files.has(path)),
      [],
      name,
    );
  }
});

test('each rule finds a planted violation', () => {
  assert.deepEqual(
    flowFiles('### Flow 1: a\n\n```\nkit/a.ts, kit/b.ts  text b/c.ts\n  web/d.tsx\n```\n').get('Flow 1: a'),
    ['kit/a.ts', 'kit/b.ts', 'web/d.tsx'],
  );
  const plant = (path: string, text: string): SourceFile[] => [{ path, text }];
  assert.deepEqual(importRuleBroken(plant('rules/a.ts', "import { x } from '../net/b.ts';")), ['rules/a.ts -> net']);
  assert.deepEqual(importRuleBroken(plant('kit/deep/a.ts', "export * from '../../rules/b.ts';")), [
    'kit/deep/a.ts -> rules',
  ]);
  assert.deepEqual(importRuleBroken(plant('net/a.ts', "await import('../compiler/b.ts')")), ['net/a.ts -> compiler']);
  assert.deepEqual(importRuleBroken(plant('compiler/b.ts', "await import('../app/b.ts')")), ['compiler/b.ts -> app']);
  assert.deepEqual(importRuleBroken(plant('compiler/b.ts', "import type {\n  A,\n} from '../net/b.ts';")), [
    'compiler/b.ts -> net',
  ]);
  const deep = "import { x } from '../query-log/segments/row.ts';";
  assert.deepEqual(importsBelowIndex(plant('src/app/a.ts', deep)), ['src/app/a.ts -> src/query-log/segments/row.ts']);
  assert.deepEqual(importsBelowIndex(plant('src/query-log/a.ts', "import { x } from './segments/row.ts';")), []);
  assert.deepEqual(importsBelowIndex(plant('src/app/a.ts', "import { x } from '../query-log/index.ts';")), []);
  assert.deepEqual(foldersUnlisted(plant('utils/a.ts', '')), ['utils']);
  assert.deepEqual(filesTooLong(plant('kit/a.ts', '\n'.repeat(MAX_LINES))), ['kit/a.ts']);
  assert.deepEqual(coresThatReachOut(plant('dns/a.ts', "import { lookup } from 'node:dns';")), [
    'dns/a.ts -> node:dns',
  ]);
  assert.deepEqual(sleepsTooLong(plant('test/a.test.ts', 'await sleep(2_000);')), [
    'test/a.test.ts: await sleep(2_000)',
  ]);
  assert.equal(sleepsTooLong(plant('test/a.test.ts', 'const WAIT_MS = 150;\nawait setTimeout(WAIT_MS);')).length, 1);
  assert.equal(sleepsTooLong(plant('test/a.test.ts', 'setTimeout(resolve, 101)')).length, 1);
  assert.equal(sleepsTooLong(plant('test/a.test.ts', 'const AGAIN_MS = 30;\nawait sleep(5 * AGAIN_MS);')).length, 1);
  assert.deepEqual(sleepsTooLong(plant('test/a.test.ts', 'await sleep(100);')), []);
  assert.deepEqual(sleepsTooLong(plant('test/a.test.ts', 'fairTime();\nawait sleep(2000);')), []);
  const wire = "import { Device } from '../../src/api/wire/device.ts';";
  assert.deepEqual(webReachesIn(plant('api/a.ts', wire)), ['api/a.ts -> ../../src/api/wire/device.ts']);
  assert.equal(webReachesIn(plant('api/a.ts', wire.replace('import', 'import type'))).length, 1);
  assert.deepEqual(webReachesIn(plant('api/a.ts', "import type { A } from '../../src/store/a.ts';")), [
    'api/a.ts -> ../../src/store/a.ts',
  ]);
  assert.deepEqual(webReachesIn(plant('api/a.ts', "import { a } from '../../src/client/client.ts';")), []);
  const types = "import type { A } from '../../src/compiler/configuration.ts';";
  assert.deepEqual(webReachesIn(plant('api/a.ts', types)), []);
  assert.equal(webReachesIn(plant('api/a.ts', types.replace('import type', 'import'))).length, 1);
  const parser = "import { parseRule } from '../../../../src/rules/parse-rule.ts';";
  assert.equal(webReachesIn(plant('pages/log/a.ts', parser)).length, 1);
  assert.deepEqual(webReachesIn(plant('pages/servers/rules/rule-language.ts', parser)), []);
  assert.deepEqual(webDangers(plant('a.tsx', 'x.innerHTML = y')), ['a.tsx: innerHTML']);
  assert.deepEqual(coresThatReachOut(plant('dns/a.ts', "import 'undici';")), ['dns/a.ts -> undici']);
});
