import { readFileSync } from 'node:fs';
import { compileList } from '../src/compiler/index.ts';
import { buildTable } from '../src/engine/build/build-table.ts';
import { saveTable } from '../src/filter-lists/table-file.ts';
import { textFile } from '../src/filter-lists/text-file.ts';
import { replaceUnderLoad } from './engine-replace.ts';
import { type Ask, type Loaded, secret, subjects, tableOf } from './engine-subjects.ts';

// One measurement per process, so that memory and CPU caches are not shared with another:
//   node --expose-gc engine-child.ts JOB INPUT     INPUT and the output are JSON

export type Measured = {
  readonly rules: number;
  readonly bytesPerRule: number;
  readonly loadMs: number;
  readonly hitNs: number;
  readonly missNs: number;
  /** Time of a decision for a name that was not queried before. */
  readonly firstHitNs: number;
  readonly firstMissNs: number;
  /** Time of a decision with Zipf-distributed names, starting with an empty cache. */
  readonly askedNs: number;
  readonly hitShare: number;
  readonly missShare: number;
  /** Garbage of one decision, in bytes. */
  readonly allocated: number;
};
export type MeasureInput = {
  readonly subject: string;
  readonly files: readonly string[];
  readonly hits: string;
  readonly misses: string;
  readonly asked: string;
  /** Fewer queries for a slow engine. */
  readonly questions: number;
};

const ROUNDS = 5;
const ALLOCATION_STEP = 10_000;

async function measureSubject({ subject, files, questions, ...names }: MeasureInput): Promise<Measured> {
  const [hitNames, missNames, askedNames] = [names.hits, names.misses, names.asked].map((file) =>
    readFileSync(file, 'latin1').trimEnd().split('\n'),
  );
  // Loaded once before the measurement, to exclude the memory of the code.
  await subjects[subject]!([]);
  const before = memory();
  const startedAt = cpuMs();
  const { rules, sharedBytes, asking } = await subjects[subject]!(files);
  const loadMs = cpuMs() - startedAt;
  const bytesPerRule = (memory() - before + sharedBytes) / rules;
  const [firstHitNs, firstMissNs, askedNs] = [hitNames!, missNames!, askedNames!.slice(0, questions)].map((subset) =>
    timedOnce(asking, subset),
  );
  const hit = timed(asking(hitNames!), hitNames!.length, questions);
  const miss = timed(asking(missNames!), missNames!.length, questions);
  const allocated =
    (allocation(asking(hitNames!), hitNames!.length, questions) +
      allocation(asking(missNames!), missNames!.length, questions)) /
    2;
  return {
    rules,
    bytesPerRule,
    loadMs,
    hitNs: hit.ns,
    missNs: miss.ns,
    firstHitNs: firstHitNs!,
    firstMissNs: firstMissNs!,
    askedNs: askedNs!,
    hitShare: hit.share,
    missShare: miss.share,
    allocated,
  };
}

function memory(): number {
  for (let times = 0; times < 4; times++) globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Best of several rounds, because disturbances only add time. */
function timed(ask: Ask, names: number, questions: number): { ns: number; share: number } {
  let share = 0;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = cpuMs();
    share = askAll(ask, names, 0, questions) / questions;
    return ((cpuMs() - before) * 1e6) / questions;
  });
  return { ns: Math.min(...rounds), share };
}

/** Each name once per round; caches are cleared before each round. */
function timedOnce(asking: Loaded['asking'], names: readonly string[]): number {
  const rounds = Array.from({ length: 2 * ROUNDS }, () => {
    const ask = asking(names);
    const before = cpuMs();
    askAll(ask, names.length, 0, names.length);
    return ((cpuMs() - before) * 1e6) / names.length;
  });
  return Math.min(...rounds);
}

function askAll(ask: Ask, names: number, from: number, to: number): number {
  let found = 0;
  for (let nth = from; nth < to; nth++) if (ask(nth % names)) found += 1;
  return found;
}

/** Heap growth, measured in small steps, because a collection within a step would hide garbage. */
function allocation(ask: Ask, names: number, questions: number): number {
  let grown = 0;
  for (let at = 0; at < questions; at += ALLOCATION_STEP) {
    const before = process.memoryUsage().heapUsed;
    askAll(ask, names, at, at + ALLOCATION_STEP);
    grown += Math.max(0, process.memoryUsage().heapUsed - before - ownGrowth);
  }
  return grown / questions;
}

/** Heap growth of `memoryUsage` itself. */
const ownGrowth = ((): number => {
  const growths = Array.from({ length: 100 }, () => {
    const before = process.memoryUsage().heapUsed;
    return process.memoryUsage().heapUsed - before;
  });
  return growths.sort((one, other) => one - other)[50]!;
})();

/** CPU time of reading a list, building its table and saving it, in ms. */
async function build({ files }: { files: readonly string[] }): Promise<{ ms: number; rules: number; bytes: number }> {
  const before = cpuMs();
  let rules = 0;
  let bytes = 0;
  for (const file of files) {
    const table = buildTable(textFile(file), { secret });
    await saveTable(tableOf(file), table);
    rules += table.report.rules;
    bytes += table.buffer.byteLength;
  }
  return { ms: cpuMs() - before, rules, bytes };
}

/** CPU time of compiling a list with the usual transformations, in ms. */
async function compile({ files }: { files: readonly string[] }): Promise<{ ms: number }> {
  const before = cpuMs();
  const sources = files.map((source) => ({ source }));
  await compileList({
    name: 'Bench',
    sources,
    transformations: ['RemoveComments', 'Compress', 'Validate', 'Deduplicate', 'TrimLines', 'RemoveEmptyLines'],
  });
  return { ms: cpuMs() - before };
}

const jobs: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
  measure: measureSubject,
  build,
  compile,
  replace: replaceUnderLoad,
};

const [job, input] = process.argv.slice(2);
console.log(JSON.stringify(await jobs[job!]!(JSON.parse(input!) as never)));
