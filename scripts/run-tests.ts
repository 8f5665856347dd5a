// `unit`: runs every test beside its file that starts no process, except tests of whole modules. `npm run test:unit -- FILE` runs only
// that file. `all`: runs all tests, those of the unit run with PostgreSQL and with every round of each property.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { posix, resolve } from 'node:path';

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
/** Whether the file changes the state of its process, or measures the process. */
const needsOwnProcess = (path: string): boolean =>
  isFound(path, /process\.(chdir|memoryUsage)\(|process\.env\[[^\]]+\] =|delete process\.env|[^.]mock\.timers/);

const testsIn = (...folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
const files = testsIn('src', 'kernels', 'web');
/** Tests of a whole module with its threads and sockets take as long as all others together. */
const moduleTests: readonly string[] = [
  'src/dns-server/listeners.test.ts',
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
  const together = unitTests.filter((path) => !needsOwnProcess(path));
  const count = 2 * availableParallelism();
  const bundles = Array.from({ length: count }, (_, group) => {
    const imports = together.filter((_, at) => at % count === group).map((path) => `import '${resolve(path)}';\n`);
    writeFileSync(`${groups}/${group}.mjs`, imports.join(''));
    return `${groups}/${group}.mjs`;
  });
  return [...bundles, ...unitTests.filter(needsOwnProcess)];
}

const [kind, ...args] = process.argv.slice(2);
const isUnitRun = kind === 'unit';
const hasFiles = args.some((arg) => arg.endsWith('.test.ts'));
const others = isUnitRun ? [] : [...files.filter((path) => !unitTests.includes(path)), ...testsIn('test')];
// Tests that start processes wait for them: one more than processors keeps the machine busy.
const concurrency = availableParallelism() + (isUnitRun ? 0 : 1);
const flags = ['--test', ...(isUnitRun ? ['--import', setup] : []), `--test-concurrency=${concurrency}`];
const hasReporter = args.some((arg) => arg.startsWith('--test-reporter'));
const reporter = !isUnitRun || hasFiles || hasReporter ? [] : ['--test-reporter=dot'];
if (isUnitRun && !hasFiles) console.error(`${unitTests.length} of ${files.length} test files beside the code`);
const chosen = hasFiles ? [] : [...others, ...grouped()];
const { status } = spawnSync(process.execPath, [...flags, ...reporter, ...args, ...chosen], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(isUnitRun && { WEIR_UNIT_TESTS: 'true' }),
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/tests'),
  },
});
process.exitCode = status ?? 1;
