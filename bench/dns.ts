import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Bar, showBars } from './bars.ts';
import { peers } from './dns-peers.ts';
import { fillStore, type Household } from './households.ts';
import { cpuSecondsOf, memoryOf } from './servers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const BLOCKED = 200_000;
const CACHED = 10_000;
const SECONDS = 4;

type Figures = {
  readonly microseconds: number;
  readonly perSecond: number;
  readonly lostShare: number;
  readonly p99Ms: number;
};
type Asking = { readonly mode?: 'udp' | 'tcp' | 'dot'; readonly rate?: number; readonly core?: number };

/**
 * Half blocked, half cached names, as fast as dnsperf asks: what each answer costs, of ours and of those that people use. Ours and each
 * peer on one core, dnsperf on the other. `--runs N` (5), `--peers none`.
 */
export async function run(words: readonly string[]): Promise<void> {
  const flag = (name: string): string | undefined => words[words.indexOf(`--${name}`) + 1];
  const runs = words.includes('--runs') ? Number(flag('runs')) : 5;
  const folder = mkdtempSync(join(tmpdir(), 'weir-bench-dns-'));
  const children: ChildProcess[] = [];
  try {
    const blocked = Array.from({ length: BLOCKED }, (_, i) => `ad${i.toString(36)}.tracker${i % 977}.example`);
    const cached = Array.from({ length: CACHED }, (_, i) => `host${i}.cached-names.net`);
    const mixed = Array.from({ length: 100_000 }, (_, i) =>
      i % 2 ? blocked[(i * 7919) % BLOCKED]! : cached[(i * 31) % CACHED]!,
    );
    const files = { warm: asQueries(join(folder, 'warm'), cached), mixed: asQueries(join(folder, 'mixed'), mixed) };
    const upstreamPort = await startUpstream(folder, children);
    const rows: Record<string, Figures> = {};
    const bars: Bar[] = [];

    const ours = await measureOurs({ folder, upstreamPort, blocked, files, runs, children, rows });
    if (flag('peers') !== 'none')
      for (const peer of peers) {
        const home = join(folder, peer.name.replaceAll(' ', '-'));
        mkdirSync(home);
        const port = await freePort();
        const [command, ...rest] = peer.command({ folder: home, port, upstreamPort, blocked });
        const child = spawn('taskset', ['-c', '0', command!, ...rest], { stdio: 'ignore' });
        children.push(child);
        if (await answers(port, cached[0]!)) rows[peer.name] = median(await asked(child.pid!, port, files, runs));
        else console.error(`${peer.name} does not answer and is left out`);
        await ended(child);
      }
    console.table(rows);
    const best = Math.min(
      ...Object.entries(rows)
        .filter(([name]) => !name.startsWith('Weir'))
        .map(([, each]) => each.microseconds),
    );
    if (Number.isFinite(best))
      bars.push({
        what: 'CPU of an answer, at most that of the best peer',
        figure: `${ours.quiet.microseconds.toFixed(1)} µs, ${best.toFixed(1)} µs`,
        met: ours.quiet.microseconds <= best,
      });
    const ratio = ours.logged.microseconds / ours.quiet.microseconds;
    bars.push(
      { what: 'with log and statistics, at most 1.3 x', figure: `${ratio.toFixed(2)} x`, met: ratio <= 1.3 },
      {
        what: 'p99 under half load, at most 1 ms',
        figure: `${ours.halfLoadP99Ms.toFixed(2)} ms`,
        met: ours.halfLoadP99Ms <= 1,
      },
      { what: 'memory, at most 350 MB', figure: `${(ours.bytes / 1e6).toFixed(0)} MB`, met: ours.bytes <= 350e6 },
    );
    showBars(bars);
  } finally {
    for (const child of children) await ended(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

type Ours = {
  readonly folder: string;
  readonly upstreamPort: number;
  readonly blocked: readonly string[];
  readonly files: Files;
  readonly runs: number;
  readonly children: ChildProcess[];
  readonly rows: Record<string, Figures>;
};
type Files = { readonly warm: string; readonly mixed: string };

/** Our own service, for strangers who get the settings of one DNS server; first with the log off, then on. */
async function measureOurs({ folder, upstreamPort, blocked, files, runs, children, rows }: Ours) {
  const data = join(folder, 'data');
  const list = join(folder, 'blocked-rules.txt');
  writeFileSync(list, `${blocked.map((name) => `||${name}^`).join('\n')}\n`);
  const [household] = await fillStore(data, 1);
  const profile = household!.devices[0]!.profile;
  const port = await freePort();
  const dotPort = await freePort();
  const http = await freePort();
  const flags = [
    '--data',
    data,
    '--http',
    `127.0.0.1:${http}`,
    '--admin',
    'off',
    '--log',
    'json',
    '--udp-threads',
    '1',
  ];
  const dns = ['--dns', `127.0.0.1:${port}`, '--dot', `127.0.0.1:${dotPort}`, '--doh', 'off'];
  const others = ['--upstream', `127.0.0.1:${upstreamPort}`, '--strangers', profile, '--dangerous-list', list];
  const child = spawn('taskset', ['-c', '0', join(root, 'bin/weir'), 'serve', ...flags, ...dns, ...others], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  if (!(await answers(port, 'host0.cached-names.net'))) throw new Error('the service does not answer');
  const change = (path: string, body: object): Promise<void> =>
    put(`http://127.0.0.1:${http}${path}`, household!, body);
  await change(`/oapi/v1/dns_servers/${profile}/settings`, {
    safebrowsing_settings: { enabled: true, block_dangerous_domains: true },
    filter_lists_settings: { enabled: false },
  });
  await sleep(3000);
  await change('/api/v1/account', { log_enabled: false });
  const quiet = median(await asked(child.pid!, port, files, runs));
  rows['Weir'] = quiet;
  const half = perf(child.pid!, port, files.mixed, { rate: Math.floor(quiet.perSecond / 2) });
  rows['Weir TCP'] = perf(child.pid!, port, files.mixed, { mode: 'tcp' });
  rows['Weir DoT'] = perf(child.pid!, dotPort, files.mixed, { mode: 'dot' });
  await change('/api/v1/account', { log_enabled: true });
  const logged = median(await asked(child.pid!, port, files, runs));
  rows['Weir with log'] = logged;
  const { peakBytes: bytes } = memoryOf(child.pid!);
  await ended(child);
  return { quiet, logged, halfLoadP99Ms: half.p99Ms, bytes };
}

async function asked(pid: number, port: number, files: Files, runs: number): Promise<readonly Figures[]> {
  perf(pid, port, files.warm, {});
  perf(pid, port, files.mixed, {});
  return Array.from({ length: runs }, () => perf(pid, port, files.mixed, {}));
}

/** One run of dnsperf on the other core. */
function perf(pid: number, port: number, file: string, { mode = 'udp', rate }: Asking): Figures {
  const before = cpuSecondsOf(pid);
  const words = [
    '-c',
    '1',
    'dnsperf',
    '-s',
    '127.0.0.1',
    '-p',
    String(port),
    '-d',
    file,
    '-l',
    String(SECONDS),
    '-m',
    mode,
  ];
  const { stdout } = spawnSync(
    'taskset',
    [...words, '-c', '8', '-q', '200', ...(rate ? ['-v', '-Q', String(rate)] : [])],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  const completed = number(/Queries completed:\s+(\d+)/);
  return {
    microseconds: ((cpuSecondsOf(pid) - before) / completed) * 1e6,
    perSecond: number(/Queries per second:\s+([\d.]+)/),
    lostShare: number(/Queries lost:\s+(\d+)/) / number(/Queries sent:\s+(\d+)/),
    p99Ms: percentile(stdout, 0.99),
  };
}

/** Of the answers that were told one by one: `> NOERROR www.example.org A 0.000123`. */
function percentile(output: string, share: number): number {
  const seconds = [...output.matchAll(/^> .* ([\d.]+)$/gm)]
    .map((line) => Number(line[1]))
    .sort((one, other) => one - other);
  return (seconds[Math.floor(seconds.length * share)] ?? Number.NaN) * 1000;
}

const median = (all: readonly Figures[]): Figures =>
  all.toSorted((one, other) => one.microseconds - other.microseconds)[Math.floor(all.length / 2)]!;

const asQueries = (file: string, names: readonly string[]): string => {
  writeFileSync(file, `${names.map((name) => `${name} A`).join('\n')}\n`);
  return file;
};

/** Answers every name below cached-names.net, for a day. */
async function startUpstream(folder: string, children: ChildProcess[]): Promise<number> {
  const port = await freePort();
  const conf = join(folder, 'upstream.conf');
  writeFileSync(
    conf,
    `server:
  interface: 127.0.0.1@${port}
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  access-control: 127.0.0.0/8 allow
  local-zone: "cached-names.net." redirect
  local-data: "cached-names.net. 86400 A 192.0.2.77"
remote-control:
  control-enable: no
`,
  );
  children.push(spawn('unbound', ['-d', '-c', conf], { stdio: 'ignore' }));
  if (!(await answers(port, 'host0.cached-names.net'))) throw new Error('unbound, the upstream, does not answer');
  return port;
}

/** Some need a while for their lists. */
async function answers(port: number, name: string): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) {
    const { stdout } = spawnSync('dig', ['@127.0.0.1', '-p', String(port), name, '+short', '+tries=1', '+time=1'], {
      encoding: 'utf8',
    });
    if (stdout.includes('192.0.2.77')) return true;
    await sleep(1000);
  }
  return false;
}

async function put(url: string, { key }: Household, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await Promise.race([once(child, 'exit'), sleep(5000).then(() => child.kill('SIGKILL'))]);
}
