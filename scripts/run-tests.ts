// `unit` runs the tests beside the code, except those that start processes and those of whole modules. `npm run test:unit -- FILE` runs
// only that file. `all` runs all tests, with PostgreSQL and with all rounds of property tests.
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

/** These start no server in a unit run, so they do not count as starting processes. */
const databases = new Set(['test/support/store/postgres.ts', 'test/support/query-log/clickhouse.ts']);

/** Text of the file and of all test helpers that it imports, also indirectly. */
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
/** Code that changes the state of its process, or measures it. */
const needsOwnProcess =
  /process\.(chdir|memoryUsage)\(|process\.env\[[^\]]+\] =[^=]|delete process\.env|^(mock\.timers|.*\bfairTime\(\w*\);)/m;
/** Files because of which a test needs its own process. Tests with the same files share one. */
const reasonsForOwnProcess = (path: string): string =>
  [...testCode(path)].flatMap(([part, text]) => (needsOwnProcess.test(text) ? [part] : [])).join();

const testsIn = (...folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
const files = testsIn('src', 'kernels', 'web');
/** Tests that start a module with its threads and sockets. They take as long as all other unit tests together. */
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

/** Writes files that import many test files each, because starting a process takes longer than most tests. */
function grouped(): string[] {
  rmSync(groups, { recursive: true, force: true });
  mkdirSync(groups, { recursive: true });
  // More groups than processors, to balance the load; each group costs a second of CPU time to load.
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

/** Uses memory if possible: hundreds of tests open a database, and each commit would wait for the disk. */
function newTemporaryFolder(): string {
  const memory = '/dev/shm';
  const hasMemory = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > MIN_FREE_MEMORY;
  const folder = mkdtempSync(join(hasMemory ? memory : tmpdir(), 'weir-tests-'));
  // Searchable by every user, like /tmp.
  chmodSync(folder, 0o755);
  return folder;
}

const [kind, ...args] = process.argv.slice(2);
const isUnitRun = kind === 'unit';
const hasFiles = args.some((arg) => arg.endsWith('.test.ts'));
const others = isUnitRun ? [] : [...files.filter((path) => !unitTests.includes(path)), ...testsIn('test')];
// One more than processors, because tests often wait for processes, sockets and timers.
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
