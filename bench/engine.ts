import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bar, showBars } from './bars.ts';
import type { Measured, MeasureInput } from './engine-child.ts';
import { type EngineLists, makeEngineLists } from './engine-lists.ts';
import type { Replaced, ReplaceInput } from './engine-replace.ts';
import { independentEngine } from './independent.ts';
import { howToName, listsFolder } from './lists-folder.ts';

const child = fileURLToPath(new URL('engine-child.ts', import.meta.url));

/** Fewer queries for slow engines. */
const questionsFor: Readonly<Record<string, number>> = { set: 200_000, independent: 50_000 };

const MAX_BYTES_PER_RULE = 12;
const MAX_NS_ONE = 350;
const MAX_NS_FIVE = 600;
const MAX_ALLOCATED = 1;
const MAX_LOAD_MS = 50;
const MAX_TIMES_COMPILER = 1.5;
const MAX_TIMES_P99 = 3;
const MAX_TIMES_TABLE = 2;

/** Memory and speed of decisions beside `Set<string>` and, on request, tsurlfilter, in one run. */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      lists: { type: 'string' },
      independent: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help)
    return console.log(`engine [--lists FOLDER] [--independent] [--seconds N]; for real lists ${howToName}`);
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  try {
    const lists = await makeEngineLists(folder, listsFolder(values.lists));
    console.log(`Names and rules of ${lists.origin}`);
    if (values.independent) await independentEngine([]);
    showBars([
      ...building(lists),
      ...deciding(lists, ['weir', 'set', ...(values.independent ? ['independent'] : [])]),
      ...replacing(lists, Number(values.seconds)),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inChild<T>(job: string, input: object): T {
  const command = ['--expose-gc', '--max-old-space-size=8192', child, job, JSON.stringify(input)];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 1e8 })) as T;
}

const bestOf = <T extends { ms: number }>(runs: number, run: () => T): T =>
  Array.from({ length: runs }, run).reduce((one, other) => (other.ms < one.ms ? other : one));

function building({ one, five, whole }: EngineLists): Bar[] {
  for (const file of [one, ...five]) inChild('build', { files: [file] });
  const ours = bestOf(3, () => inChild<{ ms: number; rules: number }>('build', { files: [whole] }));
  const compiler = bestOf(3, () => inChild<{ ms: number }>('compile', { files: [whole] }));
  console.log(
    `Making a table of ${ours.rules} rules: ${ours.ms.toFixed(0)} ms; compiling them: ${compiler.ms.toFixed(0)} ms`,
  );
  return [atMost('CPU of a table from text, of the compiler', ours.ms / compiler.ms, MAX_TIMES_COMPILER, 2)];
}

function deciding(lists: EngineLists, names: readonly string[]): Bar[] {
  const sizes = { one: [lists.one], five: lists.five, whole: [lists.whole] };
  const measured = (subject: string, size: keyof typeof sizes): Measured => {
    const { hits, misses, asked } = lists;
    const questions = questionsFor[subject] ?? 1_000_000;
    const input: MeasureInput = { subject, files: sizes[size], hits, misses, asked, questions };
    const found = inChild<Measured>('measure', input);
    console.table({ [`${subject}, ${size}`]: row(found) });
    return found;
  };
  const [one, five, whole] = (['one', 'five', 'whole'] as const).map((size) => measured('weir', size));
  for (const subject of names.slice(1)) for (const size of ['one', 'five'] as const) measured(subject, size);
  return [
    atMost(`bytes a rule, ${whole!.rules} rules`, whole!.bytesPerRule, MAX_BYTES_PER_RULE, 2),
    atMost(`bytes a rule, five lists of ${five!.rules} rules`, five!.bytesPerRule, MAX_BYTES_PER_RULE, 2),
    atMost(`ns a hit, ${one!.rules} rules`, one!.hitNs, MAX_NS_ONE, 0),
    atMost(`ns a miss, ${one!.rules} rules`, one!.missNs, MAX_NS_ONE, 0),
    atMost(`ns a hit, five lists of ${five!.rules} rules`, five!.hitNs, MAX_NS_FIVE, 0),
    atMost(`ns a miss, five lists of ${five!.rules} rules`, five!.missNs, MAX_NS_FIVE, 0),
    atMost(`ns a name as often as people ask for it, ${one!.rules} rules`, one!.askedNs, MAX_NS_ONE, 0),
    atMost(`ns a name as often as people ask for it, five lists`, five!.askedNs, MAX_NS_FIVE, 0),
    atMost('bytes allocated by a decision', Math.max(one!.allocated, five!.allocated), MAX_ALLOCATED, 2),
    atMost(`ms to load ${whole!.rules} rules`, whole!.loadMs, MAX_LOAD_MS, 0),
  ];
}

function replacing({ whole, misses }: EngineLists, seconds: number): Bar[] {
  const input: ReplaceInput = { file: whole, names: misses, seconds };
  const found = inChild<Replaced>('replace', input);
  const inTables = (bytes: number): number => bytes / found.tableBytes;
  console.log(
    `A list of ${(found.tableBytes / 1e6).toFixed(1)} MB replaced ${found.replacements} times under ` +
      `${found.perSecond.toFixed(0)} decisions/s; p99 ${found.normalP99Ns.toFixed(0)} ns, then ` +
      `${found.replacingP99Ns.toFixed(0)} ns; memory above the level before: ` +
      `${(found.peakBytes / 1e6).toFixed(1)} MB at most, ${(found.settledBytes / 1e6).toFixed(1)} MB afterwards`,
  );
  return [
    atMost('p99 while a list is replaced, of normal', found.replacingP99Ns / found.normalP99Ns, MAX_TIMES_P99, 2),
    atMost('memory while a list is replaced, in tables', inTables(found.peakBytes), MAX_TIMES_TABLE, 2),
    atMost('memory when it is replaced, in tables', inTables(found.settledBytes), MAX_TIMES_TABLE, 2),
  ];
}

const atMost = (what: string, figure: number, most: number, digits: number): Bar => ({
  what: `${what} (at most ${most})`,
  figure: figure.toFixed(digits),
  met: figure <= most,
});

const row = (found: Measured): object => ({
  rules: found.rules,
  'bytes a rule': found.bytesPerRule.toFixed(1),
  'ns a hit': found.hitNs.toFixed(0),
  'ns a miss': found.missNs.toFixed(0),
  'the first time': `${found.firstHitNs.toFixed(0)} / ${found.firstMissNs.toFixed(0)}`,
  'as people ask': found.askedNs.toFixed(0),
  'hits found': found.hitShare.toFixed(3),
  'misses found': found.missShare.toFixed(3),
  'allocated bytes': found.allocated.toFixed(2),
  'ms to load': found.loadMs.toFixed(0),
});
