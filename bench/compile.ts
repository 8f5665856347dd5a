import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bar, showBars } from './bars.ts';
import { type Corpus, makeCorpus } from './corpus.ts';
import { howToName, listsFolder } from './lists-folder.ts';
import { best, measure, reportingMemory, type Usage } from './measure.ts';
import { originalCommand } from './original.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const weir = join(root, 'bin/weir');
const transformations = [
  'RemoveComments',
  'RemoveModifiers',
  'Compress',
  'Validate',
  'Deduplicate',
  'TrimLines',
  'RemoveEmptyLines',
  'InsertFinalNewLine',
];

const FULL = 1_350_000;
// Lines of a list, and the required factor of CPU time saved compared with the original.
const fasterThanOriginal: Readonly<Record<number, number>> = { 10000: 5, 200000: 20, [FULL]: 100 };
const MAX_TIMES_SORT = 4;
const MAX_PEAK_BYTES = 300e6;
const MAX_GROWTH = 2.2;
const MAX_STARTUP_SECONDS = 0.06;

/** Compares `weir compile` with `sort -u` and, on request, with the original, on the same bytes in one run. */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      lists: { type: 'string' },
      original: { type: 'boolean', default: false },
      runs: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(`compile [--lists FOLDER] [--original] [--runs N]; for real lists ${howToName}`);
  const lists = listsFolder(values.lists);
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  try {
    const bars: Bar[] = [];
    for (const lines of [10_000, 200_000, FULL]) {
      const corpus = await makeCorpus(folder, lines, lists);
      bars.push(...compare(corpus, folder, Number(values.runs), lines, values.original));
    }
    bars.push(await growth(folder, Number(values.runs)), startUp());
    showBars(bars);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(corpus: Corpus, folder: string, runs: number, lines: number, withOriginal: boolean): Bar[] {
  const sort = best(runs, () =>
    measure(['sort', '-u', '-o', join(folder, 'sorted'), ...corpus.files], { LC_ALL: 'C' }),
  );
  const ours = best(runs, () => compileWithWeir(corpus, folder));
  const rows: Record<string, object> = { 'sort -u': row(sort, corpus), weir: row(ours, corpus) };
  const bars: Bar[] = [];
  if (lines === FULL) {
    const timesSort = ours.cpuSeconds / sort.cpuSeconds;
    bars.push({
      what: `CPU at ${lines} lines, of sort -u (at most ${MAX_TIMES_SORT})`,
      figure: timesSort.toFixed(2),
      met: timesSort <= MAX_TIMES_SORT,
    });
    bars.push({
      what: 'peak memory, MB (at most 300)',
      figure: megabytes(ours),
      met: ours.peakBytes <= MAX_PEAK_BYTES,
    });
  }
  if (withOriginal) {
    const original = measure([...originalCommand(), ...compileFlags(corpus, folder)], reportingMemory);
    rows['original'] = row(original, corpus);
    const times = original.cpuSeconds / ours.cpuSeconds;
    const wanted = fasterThanOriginal[lines]!;
    bars.push({
      what: `less CPU than the original at ${lines} lines (at least ${wanted} times)`,
      figure: times.toFixed(1),
      met: times >= wanted,
    });
  }
  console.log(`\n${corpus.lines} lines of ${corpus.origin}`);
  console.table(rows);
  return bars;
}

function compileFlags(corpus: Corpus, folder: string): string[] {
  const configuration = join(folder, 'configuration.json');
  const sources = corpus.files.map((source) => ({ source }));
  writeFileSync(configuration, JSON.stringify({ name: 'Bench', sources, transformations }));
  return ['-c', configuration, '-o', join(folder, 'compiled.txt')];
}

const compileWithWeir = (corpus: Corpus, folder: string): Usage =>
  measure([weir, 'compile', '--quiet', ...compileFlags(corpus, folder)], reportingMemory);

/** Checks that the cost is nearly linear. Both lists are generated, because no real list is long enough. */
async function growth(folder: string, runs: number): Promise<Bar> {
  const costOf = async (lines: number): Promise<number> => {
    const corpus = await makeCorpus(folder, lines, undefined);
    return best(runs, () => compileWithWeir(corpus, folder)).cpuSeconds;
  };
  const figure = (await costOf(2 * FULL)) / (await costOf(FULL));
  return {
    what: `cost of ${2 * FULL} lines, of ${FULL} (at most ${MAX_GROWTH})`,
    figure: figure.toFixed(2),
    met: figure <= MAX_GROWTH,
  };
}

function startUp(): Bar {
  const average = (command: readonly string[]): number => {
    const runs = 20;
    return (
      Array.from({ length: runs }, () => measure(command).cpuSeconds).reduce((sum, seconds) => sum + seconds, 0) / runs
    );
  };
  const over = average([weir, '--version']) - average([process.execPath, '-e', '0']);
  return {
    what: 'CPU of weir --version over node -e 0, ms (at most 60)',
    figure: (over * 1000).toFixed(0),
    met: over <= MAX_STARTUP_SECONDS,
  };
}

const row = (usage: Usage, { lines }: Corpus): object => ({
  'CPU s': usage.cpuSeconds.toFixed(2),
  'wall s': usage.wallSeconds.toFixed(2),
  'peak MB': usage.peakBytes === 0 ? '' : megabytes(usage),
  'lines/s of CPU': Math.round(lines / usage.cpuSeconds),
});

const megabytes = ({ peakBytes }: Usage): string => (peakBytes / 1e6).toFixed(0);
