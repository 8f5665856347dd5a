import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { medianOf, perf } from './dns-asking.ts';
import type { Disturbed } from './dns-disturbance.ts';
import { startWeir } from './dns-weir.ts';

const RUNS = 10;
const FEWEST_GOOD = 9;
const MOST_MS = 1;
const LIST_RULES = 1_000_000;
const FLOOR_RUNS = 3;
const WARM_UP_RUNS = 3;

/** p99 at half load, while the log is written, statistics are read, a large list is replaced and a compilation runs. */
export async function measureTail(bench: Bench): Promise<readonly Bar[]> {
  const weir = await startWeir({
    ...bench,
    folder: bench.home('tail'),
    flags: [
      '--requests-per-minute',
      '1000',
      '--allow-source-address',
      '127.0.0.0/8',
      '--max-custom-list-rules',
      `${LIST_RULES}`,
    ],
  });
  const asking = { pid: weir.pid, port: weir.ports.dns, file: bench.files.mixed };
  await perf({ ...asking, file: bench.files.warm });
  const quiet = await medianOf(bench.runs, asking);
  bench.note('Weir, as fast as it can', quiet);
  const rate = Math.floor(quiet.perSecond / 2);
  const p99s = async (title: string, runs: number): Promise<readonly number[]> => {
    const figures: number[] = [];
    while (figures.length < runs) figures.push((await perf({ ...asking, rate })).p99Ms);
    console.log(`p99 ${title}: ${figures.map((ms) => ms.toFixed(2)).join(', ')} ms`);
    return figures;
  };
  await p99s('without log and disturbances', FLOOR_RUNS);
  await weir.keepLog(true);
  await p99s('with log, while V8 compiles its code', WARM_UP_RUNS);
  const { origin, key, profile } = weir;
  const stop = await disturb({ origin, key, profile, listRules: LIST_RULES });
  const figures = await p99s('with log and disturbances', RUNS);
  console.log(`meanwhile: ${await stop()}`);
  await weir.end();
  const good = figures.filter((ms) => ms <= MOST_MS).length;
  return [
    {
      what: 'tail: p99 at half load, with log, statistics, a new list and a compilation: at most 1 ms in 9 of 10 runs',
      figure: `${good} of ${RUNS} at ${rate} a second; ${figures.map((ms) => ms.toFixed(2)).join(', ')}`,
      met: good >= FEWEST_GOOD,
    },
  ];
}

/** Runs until the returned function is called, which resolves to the number of each. */
async function disturb(disturbed: Disturbed): Promise<() => Promise<string>> {
  const file = fileURLToPath(new URL('dns-disturbance.ts', import.meta.url));
  const command = ['--idle', '0', process.execPath, file, JSON.stringify(disturbed)];
  const child = spawn('chrt', command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`dns-disturbance.ts ended with ${code}`);
  });
  failed.catch(() => {});
  await Promise.race([once(lines, 'line'), failed]);
  return async () => {
    const line = once(lines, 'line');
    child.stdin.end();
    const [counts] = await Promise.race([line, failed]);
    return String(counts);
  };
}
