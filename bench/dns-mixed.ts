import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { answers, asQueries, type Figures, freePort, median, perf } from './dns-asking.ts';
import { ADDRESS, startResponder } from './dns-misses.ts';
import { peers } from './dns-peers.ts';
import { startWeir } from './dns-weir.ts';

/** More than a server answers in a run. */
const QUERIES = 800_000;
const CACHED = 10_000;
const MOST_CPU = 0.8;
const MOST_WITH_LOG = 1.3;
/** V8 compiles the code of the log in the first ten seconds. */
const LOG_WARM_UPS = 4;
const LATE_MS = 500;
const MOST_LATE = 0.01;

/** Traffic of a network: 80 % of names in the cache, 15 % of new names, 5 % blocked; popular names more often (Zipf). */
export async function measureMixed(bench: Bench): Promise<readonly Bar[]> {
  const { programs, knownName, blocked, runs } = bench;
  const { port: upstreamPort } = await startResponder(bench);
  const weir = await startWeir({ ...bench, folder: bench.home('mixed queries'), upstreamPort });
  const unbound = peers.find(({ name }) => name === 'Unbound')!;
  const port = await freePort();
  const folder = bench.home('Unbound mixed');
  const child = programs.start(unbound.command({ folder, port, upstreamPort, blocked }));
  if (!(await answers(port, knownName, ADDRESS))) throw new Error('Unbound does not answer');

  const measure = async (pid: number, to: number, settled?: () => Promise<void>): Promise<Figures> => {
    const file = asQueries(join(folder, 'queries'), mixedNames(blocked));
    const figures = await perf({ pid, port: to, file, isOnce: true, ...(settled && { settled }) });
    rmSync(file);
    return figures;
  };
  const withoutLog = (): Promise<Figures> => measure(weir.pid, weir.ports.dns);
  const withLog = (): Promise<Figures> => measure(weir.pid, weir.ports.dns, () => weir.settled());
  await withoutLog();
  await weir.keepLog(true);
  for (let run = 0; run < LOG_WARM_UPS; run++) await withLog();
  const quiet: Figures[] = [];
  const logging: Figures[] = [];
  const unboundRuns: Figures[] = [];
  // Alternates, because a full cache costs more than one that is being filled.
  for (let run = 0; run < runs; run++) {
    await weir.keepLog(false);
    quiet.push(await withoutLog());
    await weir.keepLog(true);
    logging.push(await withLog());
  }
  const ours = median(quiet);
  bench.note('Weir, mixed', ours);
  const logged = median(logging);
  bench.note('Weir with log, mixed', logged);
  await measure(child.pid!, port);
  for (let run = 0; run < runs; run++) unboundRuns.push(await measure(child.pid!, port));
  const theirs = median(unboundRuns);
  bench.note('Unbound, mixed', theirs);
  await weir.end();
  await programs.end(child);
  const cpu = ours.microseconds / theirs.microseconds;
  const logRatio = logged.microseconds / ours.microseconds;
  return [
    {
      what: 'mixed: CPU of a query, at most 0.8 x that of Unbound',
      figure: `${ours.microseconds.toFixed(1)} µs, ${theirs.microseconds.toFixed(1)} µs, ${cpu.toFixed(2)} x`,
      met: cpu <= MOST_CPU,
    },
    {
      what: 'mixed: with log and statistics, at most 1.3 x',
      figure: `${logRatio.toFixed(2)} x`,
      met: logRatio <= MOST_WITH_LOG,
    },
    await measureSilent(bench, upstreamPort),
  ];
}

let round = 0;

function mixedNames(blocked: readonly string[]): readonly string[] {
  round += 1;
  return Array.from({ length: QUERIES }, (_, i) => {
    const kind = Math.random();
    if (kind < 0.8) return `host${zipf(CACHED)}.cached-names.net`;
    return kind < 0.95 ? `m${round}n${i.toString(36)}.cached-names.net` : blocked[zipf(blocked.length)]!;
  });
}

/** A number below `count`; n is about twice as frequent as 2n. */
const zipf = (count: number): number => Math.min(count - 1, Math.floor(count ** Math.random()) - 1);

/** Measures late answers after the first seconds, with two upstreams of which one never answers. */
async function measureSilent(bench: Bench, upstreamPort: number): Promise<Bar> {
  const silent = createSocket('udp4');
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  const folder = bench.home('silent');
  const weir = await startWeir({ ...bench, folder, upstreamPort, silentUpstreamPort: silent.address().port });
  const file = (name: string): string =>
    asQueries(
      join(folder, name),
      Array.from({ length: 40_000 }, (_, i) => `${name}${i}.cached-names.net`),
    );
  const asking = { pid: weir.pid, port: weir.ports.dns, rate: 2000, isOnce: true };
  await perf({ ...asking, file: file('first') });
  const { lateShare, perSecond } = await perf({ ...asking, file: file('then'), seconds: 8, lateMs: LATE_MS });
  await weir.end();
  silent.close();
  return {
    what: 'one of two upstreams is silent: answers later than 500 ms, after 3 s, at most 1 %',
    figure: `${(lateShare * 100).toFixed(2)} % at ${perSecond.toFixed(0)} a second`,
    met: lateShare <= MOST_LATE,
  };
}
