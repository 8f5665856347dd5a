import { readdirSync, readFileSync } from 'node:fs';
import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { medianOf, perf } from './dns-asking.ts';
import { startWeir } from './dns-weir.ts';

const LEAST = 1.7;
/** Enough client sockets for the kernel to spread them over the threads. */
const CLIENTS = 64;

/**
 * The gain of a second thread. The clients share the two processors, so queries per second are not comparable; queries
 * per second of CPU are: two threads without contention need as much CPU per query as one.
 */
export async function measureCores(bench: Bench): Promise<readonly Bar[]> {
  const figures = [];
  let share = 0;
  for (const udpThreads of [1, 2]) {
    const weir = await startWeir({
      ...bench,
      folder: bench.home(`cores ${udpThreads}`),
      udpThreads,
      processors: '0,1',
    });
    const asking = {
      pid: weir.pid,
      port: weir.ports.dns,
      file: bench.files.mixed,
      clients: CLIENTS,
      processors: '0,1',
    };
    await perf({ ...asking, file: bench.files.warm });
    const median = await medianOf(bench.runs, asking);
    const busiest = threadSeconds(weir.pid);
    share = busiest[1]! / (busiest[0]! + busiest[1]!);
    bench.note(`Weir, ${udpThreads} udp threads on two processors`, median);
    figures.push(median.microseconds);
    await weir.end();
  }
  const scale = (2 * figures[0]!) / figures[1]!;
  return [
    {
      what: `UDP: two threads for one, by answers in a second of CPU, at least ${LEAST} x`,
      figure: `${scale.toFixed(2)} x; the second has ${(share * 100).toFixed(0)} % of the work`,
      met: scale >= LEAST && share > 0.3,
    },
  ];
}

/** CPU time per thread, the busiest first. */
function threadSeconds(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]!.split(' '))
    .map((fields) => Number(fields[11]) + Number(fields[12]))
    .sort((one, other) => other - one);
}
