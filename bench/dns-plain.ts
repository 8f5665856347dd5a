import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { answers, type Figures, freePort, median, medianOf, perf } from './dns-asking.ts';
import { type Peer, peers } from './dns-peers.ts';
import { startWeir } from './dns-weir.ts';

const LOG_WARM_UP = 3;

/** Plain DNS over UDP: Weir with and without query log, other servers, and p99 latency at half of the maximum rate. */
export async function measurePlain(bench: Bench): Promise<readonly Bar[]> {
  const { files, runs, note } = bench;
  const weir = await startWeir({ ...bench, folder: bench.home('plain') });
  const asking = { pid: weir.pid, port: weir.ports.dns, file: files.mixed };
  await perf({ ...asking, file: files.warm });
  await weir.keepLog(true);
  // Warms up the code of the log, including that of the first flush.
  for (let run = 0; run < LOG_WARM_UP; run += 1) await perf({ ...asking, settled: () => weir.settled() });
  const before = await counted(weir.figure);
  // Alternates, so that disturbances affect both.
  const [withoutLog, withLog]: [Figures[], Figures[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    await weir.keepLog(false);
    withoutLog.push(await perf(asking));
    await weir.keepLog(true);
    withLog.push(await perf({ ...asking, settled: () => weir.settled() }));
  }
  const after = await counted(weir.figure);
  const [quiet, logged] = [median(withoutLog), median(withLog)];
  const recorded = withLog.reduce((sum, { answers }) => sum + answers, 0);
  note('Weir', quiet);
  note('Weir with log', logged);
  await weir.keepLog(false);
  const half = await perf({ ...asking, rate: Math.floor(quiet.perSecond / 2) });
  note('Weir, half load', half);
  await weir.end();

  const ratio = logged.microseconds / quiet.microseconds;
  const stored = after.stored - before.stored;
  const dropped = after.dropped - before.dropped;
  const others: Figures[] = [];
  const wanted = bench.peers.split(',');
  for (const peer of bench.peers === 'none' ? [] : peers)
    if (bench.peers === 'all' || wanted.includes(peer.name)) others.push(...(await measurePeer(bench, peer)));
  const best = Math.min(...others.map(({ microseconds }) => microseconds));
  return [
    ...(others.length === 0
      ? []
      : [
          {
            what: 'UDP: CPU of an answer, at most that of the best peer',
            figure: `${quiet.microseconds.toFixed(2)} µs, ${best.toFixed(2)} µs`,
            met: quiet.microseconds <= best,
          },
        ]),
    { what: 'UDP: with log and statistics, at most 1.3 x', figure: `${ratio.toFixed(2)} x`, met: ratio <= 1.3 },
    {
      what: 'UDP: every answer has a record that is stored',
      figure: `${stored} stored of ${recorded}, ${dropped} dropped`,
      // Answers that dnsperf did not receive are also logged.
      met: stored >= recorded && dropped === 0,
    },
    {
      what: 'UDP: p99 under half load, at most 1 ms',
      figure: `${half.p99Ms.toFixed(2)} ms at ${half.perSecond.toFixed(0)} a second`,
      met: half.p99Ms <= 1,
    },
  ];
}

const counted = async (figure: (name: string) => Promise<number>) => ({
  stored: await figure('weir_dns_records_stored_total'),
  dropped: await figure('weir_dns_records_dropped_total'),
});

async function measurePeer(bench: Bench, { name, command }: Peer): Promise<readonly Figures[]> {
  const { programs, upstreamPort, blocked, knownName, files, runs } = bench;
  const port = await freePort();
  const child = programs.start(command({ folder: bench.home(name), port, upstreamPort, blocked }));
  const isReady = (await answers(port, knownName, '192.0.2.77')) && (await answers(port, blocked[0]!, '0.0.0.0'));
  if (!isReady) console.error(`${name} does not do the work and is left out`);
  const asking = { pid: child.pid!, port, file: files.mixed };
  const figures: Figures[] = [];
  if (isReady) {
    await perf({ ...asking, file: files.warm });
    const median = await medianOf(runs, asking);
    bench.note(name, median);
    figures.push(median);
    if (name === 'Unbound') {
      const half = await perf({ ...asking, rate: Math.floor(median.perSecond / 2) });
      console.log(`${name}, half load: p99 ${half.p99Ms.toFixed(2)} ms at ${half.perSecond.toFixed(0)} a second`);
    }
  }
  await programs.end(child);
  return figures;
}
