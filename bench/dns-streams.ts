import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { answers, freePort, medianOf, perf } from './dns-asking.ts';
import { peers } from './dns-peers.ts';
import { startWeir } from './dns-weir.ts';

const modes = ['tcp', 'dot'] as const;

/** DNS over TCP and TLS, compared with Unbound with the same queries. */
export async function measureStreams(bench: Bench): Promise<readonly Bar[]> {
  const { programs, files, runs, knownName, upstreamPort, blocked } = bench;
  const weir = await startWeir({ ...bench, folder: bench.home('streams') });
  const unbound = peers.find(({ name }) => name === 'Unbound')!;
  const unboundPorts = { port: await freePort(), dotPort: await freePort() };
  const certificate = { cert: `${weir.data}/self-signed.crt`, key: `${weir.data}/self-signed.key` };
  const work = { folder: bench.home('Unbound streams'), upstreamPort, blocked, ...unboundPorts, certificate };
  const child = programs.start(unbound.command(work));
  if (!(await answers(unboundPorts.port, knownName, '192.0.2.77'))) throw new Error('Unbound does not answer');
  await perf({ pid: weir.pid, port: weir.ports.dns, file: files.warm });
  await perf({ pid: child.pid!, port: unboundPorts.port, file: files.warm });

  const bars: Bar[] = [];
  for (const mode of modes) {
    const [ourPort, theirPort] =
      mode === 'tcp' ? [weir.ports.dns, unboundPorts.port] : [weir.ports.dot, unboundPorts.dotPort];
    const ours = await medianOf(runs, { pid: weir.pid, port: ourPort, file: files.mixed, mode });
    const theirs = await medianOf(runs, { pid: child.pid!, port: theirPort, file: files.mixed, mode });
    bench.note(`Weir ${mode}`, ours);
    bench.note(`Unbound ${mode}`, theirs);
    bars.push({
      what: `${mode}: CPU of an answer, at most that of Unbound`,
      figure: `${ours.microseconds.toFixed(2)} µs, ${theirs.microseconds.toFixed(2)} µs`,
      met: ours.microseconds <= theirs.microseconds,
    });
  }
  await weir.end();
  await programs.end(child);
  return bars;
}
