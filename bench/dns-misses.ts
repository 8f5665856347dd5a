import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { answers, asQueries, type Figures, freePort, median, perf } from './dns-asking.ts';
import { peers } from './dns-peers.ts';
import { startWeir } from './dns-weir.ts';

export const ADDRESS = '192.0.2.77';
// More names than a server answers in one run.
const NAMES = 250_000;
const MOST_CPU = 1.3;
const FEWEST_ANSWERS = 0.8;

/** Queries for unique names, which all go upstream: CPU per query and answers per second, compared with Unbound. */
export async function measureMisses(bench: Bench): Promise<readonly Bar[]> {
  const responder = await startResponder(bench);
  // Read by our service, which validates the certificate of its upstream.
  process.env['NODE_EXTRA_CA_CERTS'] = responder.certificate;
  return [
    ...(await measureOver(bench, 'UDP', { upstreamPort: responder.port })),
    ...(await measureOver(bench, 'TLS', { upstreamPort: responder.tlsPort, upstreamScheme: 'tls' })),
  ];
}

async function measureOver(
  bench: Bench,
  over: 'UDP' | 'TLS',
  upstream: { readonly upstreamPort: number; readonly upstreamScheme?: 'tls' },
): Promise<readonly Bar[]> {
  const { programs, knownName, blocked } = bench;
  const weir = await startWeir({ ...bench, folder: bench.home(`misses ${over}`), ...upstream });
  const unbound = peers.find(({ name }) => name === 'Unbound')!;
  const port = await freePort();
  const folder = bench.home(`Unbound misses ${over}`);
  const child = programs.start(unbound.command({ folder, port, blocked, ...upstream }));
  if (!(await answers(port, knownName, ADDRESS))) throw new Error('Unbound does not answer');

  const ours = await medianOfUnique(bench, { pid: weir.pid, port: weir.ports.dns, folder });
  bench.note(`Weir, misses over ${over}`, ours);
  const theirs = await medianOfUnique(bench, { pid: child.pid!, port, folder });
  bench.note(`Unbound, misses over ${over}`, theirs);
  await weir.end();
  await programs.end(child);
  const cpu = ours.microseconds / theirs.microseconds;
  const rate = ours.perSecond / theirs.perSecond;
  return [
    {
      what: `misses over ${over}: CPU of a query, at most 1.3 x that of Unbound`,
      figure: `${ours.microseconds.toFixed(1)} µs, ${theirs.microseconds.toFixed(1)} µs, ${cpu.toFixed(2)} x`,
      met: cpu <= MOST_CPU,
    },
    {
      what: `misses over ${over}: answers per second, at least 0.8 x those of Unbound`,
      figure: `${ours.perSecond.toFixed(0)}, ${theirs.perSecond.toFixed(0)}, ${rate.toFixed(2)} x`,
      met: rate >= FEWEST_ANSWERS,
    },
    { what: `misses over ${over}: none lost`, figure: ours.lostShare.toFixed(5), met: ours.lostShare === 0 },
  ];
}

type Asked = { readonly pid: number; readonly port: number; readonly folder: string };

let round = 0;

/** Every run has different names. The first run is a warm-up. */
async function medianOfUnique({ runs }: Bench, { pid, port, folder }: Asked): Promise<Figures> {
  const all: Figures[] = [];
  for (let run = 0; run <= runs; run++) {
    round += 1;
    const names = Array.from({ length: NAMES }, (_, i) => `r${round}n${i.toString(36)}.cached-names.net`);
    const file = asQueries(join(folder, `unique-${round}`), names);
    const figures = await perf({ pid, port, file, isOnce: true });
    rmSync(file);
    if (run > 0) all.push(figures);
  }
  return median(all);
}

let responders = 0;

/** dnsdist answers every query itself, on the CPU of the load generator. */
export async function startResponder({ programs, home, knownName }: Bench) {
  const [port, tlsPort] = [await freePort(), await freePort()];
  responders += 1;
  const folder = home(`responder ${responders}`);
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(
    'openssl',
    ['req', '-x509', ...algorithm, '-keyout', key, '-out', certificate, '-days', '2', ...subject],
    {
      stdio: 'ignore',
    },
  );
  const conf = join(folder, 'dnsdist.conf');
  writeFileSync(
    conf,
    `setLocal('127.0.0.1:${port}')
addTLSLocal('127.0.0.1:${tlsPort}', '${certificate}', '${key}', { provider = 'openssl' })
setSecurityPollSuffix('')
addAction(AllRule(), SpoofAction({'${ADDRESS}'}))
`,
  );
  programs.start(['dnsdist', '--supervised', '-C', conf], '1');
  if (!(await answers(port, knownName, ADDRESS))) throw new Error('dnsdist, the upstream, does not answer');
  return { port, tlsPort, certificate };
}
