// `unit`: runs every test beside its file that starts no process, except tests of whole modules. `npm run test:unit -- FILE` runs only
// that file. `all`: runs all tests, those of the unit run with PostgreSQL and with every round of each property.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';

const setup = resolve('test/support/unit-run.ts');
const groups = resolve('.cache/unit-tests');

const importPattern = /(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g;

/** In a unit run these start no server. */
const databases = new Set(['test/support/store/postgres.ts', 'test/support/query-log/clickhouse.ts']);

/** The file and the test helpers that it imports, directly or not. */
function testCode(path: string, seen = new Map<string, string>()): ReadonlyMap<string, string> {
  if (seen.has(path) || databases.has(path)) return seen;
  const text = readFileSync(path, 'utf8');
  seen.set(path, text);
  for (const [, from, alone] of text.matchAll(importPattern)) {
    const imported = posix.join(posix.dirname(path), (from ?? alone)!);
    if (/^test\/support\/.*\.ts$/.test(imported)) testCode(imported, seen);
  }
  return seen;
}

const isFound = (path: string, pattern: RegExp): boolean =>
  testCode(path)
    .values()
    .some((text) => pattern.test(text));
const startsProcesses = (path: string): boolean => isFound(path, /'node:child_process'|'playwright-core'/);
/** Changes the state of the process, or measures the process. */
const needsOwnProcess =
  /process\.(chdir|memoryUsage)\(|process\.env\[[^\]]+\] =[^=]|delete process\.env|^(mock\.timers|.*\bfairTime\(\w*\);)/m;
/** The files because of which a test cannot run in the process of any other: tests with the same ones share a process. */
const reasonsForOwnProcess = (path: string): string =>
  [...testCode(path)].flatMap(([part, text]) => (needsOwnProcess.test(text) ? [part] : [])).join();

const testsIn = (...folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
const files = testsIn('src', 'kernels', 'web');
/** Tests of a whole module with its threads and sockets take as long as all others together. */
const moduleTests: readonly string[] = [
  'src/dns-server/listeners.test.ts',
  'src/dns-server/open-dns.test.ts',
  'src/filter-lists/hostile-lists.test.ts',
  'src/filter-lists/open-lists.test.ts',
  'src/filter-lists/refresh-scheduler.test.ts',
  'src/platform/worker-pool.test.ts',
  'src/query-log/thread/log-client.test.ts',
  'src/query-log/formats.test.ts',
  'src/query-log/log-store.test.ts',
  'src/query-log/open-query-log.test.ts',
  'src/resolver/upstream/exchange-https.test.ts',
];
for (const path of moduleTests)
  if (!files.includes(path)) throw new Error(`${path} does not exist: update moduleTests`);
const unitTests = files.filter((path) => !startsProcesses(path) && !moduleTests.includes(path));

/** Files that import many test files: starting a process for each file takes longer than most tests. */
function grouped(): string[] {
  rmSync(groups, { recursive: true, force: true });
  mkdirSync(groups, { recursive: true });
  // More than processors, so that none works alone at the end; each takes a second of CPU time to load.
  const count = 3 * availableParallelism();
  const byReason = Map.groupBy(unitTests, reasonsForOwnProcess);
  const together = byReason.get('') ?? [];
  byReason.delete('');
  const bundles = Array.from({ length: count }, (_, group) => together.filter((_, at) => at % count === group));
  return [...bundles, ...byReason.values()].map((paths, group) => {
    const imports = paths.map((path) => `import '${resolve(path)}';\n`);
    writeFileSync(`${groups}/${group}.mjs`, imports.join(''));
    return `${groups}/${group}.mjs`;
  });
}

const MIN_FREE_MEMORY = 2 ** 29;

/** In memory if possible: hundreds of tests open a database, each of whose commits would wait for the disk. */
function newTemporaryFolder(): string {
  const memory = '/dev/shm';
  const hasMemory = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > MIN_FREE_MEMORY;
  const folder = mkdtempSync(join(hasMemory ? memory : tmpdir(), 'weir-tests-'));
  // Like the folder of the system, every user may search it.
  chmodSync(folder, 0o755);
  return folder;
}

const [kind, ...args] = process.argv.slice(2);
const isUnitRun = kind === 'unit';
const hasFiles = args.some((arg) => arg.endsWith('.test.ts'));
const others = isUnitRun ? [] : [...files.filter((path) => !unitTests.includes(path)), ...testsIn('test')];
// Tests wait for processes, sockets and timers: one more than processors keeps the machine busy.
const concurrency = availableParallelism() + 1;
const flags = ['--test', ...(isUnitRun ? ['--import', setup] : []), `--test-concurrency=${concurrency}`];
const hasReporter = args.some((arg) => arg.startsWith('--test-reporter'));
const reporters = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`--test-reporter=${name}`, '--test-reporter-destination=stdout']);
const slowest = resolve('test/support/slowest-files.ts');
const reporter = hasFiles || hasReporter ? [] : isUnitRun ? reporters('dot') : reporters('spec', slowest);
if (isUnitRun && !hasFiles) console.error(`${unitTests.length} of ${files.length} test files beside the code`);
const chosen = hasFiles ? [] : [...others, ...grouped()];
const folder = isUnitRun ? newTemporaryFolder() : '';
const { status } = spawnSync(process.execPath, [...flags, ...reporter, ...args, ...chosen], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(isUnitRun && { WEIR_UNIT_TESTS: 'true', TMPDIR: folder }),
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/tests'),
  },
});
if (isUnitRun) rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
