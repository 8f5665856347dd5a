import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf } from './servers.ts';

export type Figures = {
  /** CPU time of the server per answer, over all threads. */
  readonly microseconds: number;
  readonly perSecond: number;
  readonly answers: number;
  readonly lostShare: number;
  /** Only if `rate` is set. */
  readonly p99Ms: number;
  /** Share of queries without an answer in `lateMs`; only if that is set. */
  readonly lateShare: number;
};

export type Asking = {
  readonly pid: number;
  readonly port: number;
  readonly file: string;
  readonly mode?: 'udp' | 'tcp' | 'dot';
  readonly rate?: number;
  readonly lateMs?: number;
  readonly seconds?: number;
  /** Stops at the end of the file, because its names would be cached in a second pass. */
  readonly isOnce?: boolean;
  readonly clients?: number;
  readonly outstanding?: number;
  /** CPUs of the load generator; the server uses the other one. */
  readonly processors?: string;
  /** Resolves when the server has finished its background work, such as writing the log. */
  readonly settled?: () => Promise<void>;
};

const SECONDS = 3;

/** One run of dnsperf, at full speed or at a fixed rate. */
export async function perf(asking: Asking): Promise<Figures> {
  const { pid, port, file, mode = 'udp', rate, seconds = SECONDS, clients = 8, outstanding = 200 } = asking;
  const words = [
    '-s',
    '127.0.0.1',
    '-p',
    port,
    '-d',
    file,
    '-l',
    seconds,
    '-m',
    mode,
    '-c',
    clients,
    '-q',
    outstanding,
  ];
  // With -v, dnsperf prints each latency to a file, so that no process reads it during the run.
  const output = join(tmpdir(), `weir-bench-dnsperf-${process.pid}`);
  const to = openSync(output, 'w');
  const before = cpuSecondsOf(pid);
  const { processors = '1' } = asking;
  const flags = [...words, ...(asking.isOnce ? ['-n', 1] : []), ...(rate ? ['-v', '-Q', rate] : [])].map(String);
  // Measures only the server if dnsperf never waits for a CPU.
  const priority = rate ? ['chrt', '--rr', '1'] : [];
  const command = ['-c', processors, ...priority, 'dnsperf', ...flags];
  await once(spawn('taskset', command, { stdio: ['ignore', to, 'ignore'] }), 'exit');
  closeSync(to);
  await asking.settled?.();
  const cpu = cpuSecondsOf(pid) - before;
  const text = readFileSync(output, 'utf8');
  rmSync(output);
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const answers = number(/Queries completed:\s+(\d+)/);
  return {
    microseconds: (cpu / answers) * 1e6,
    perSecond: number(/Queries per second:\s+([\d.]+)/),
    answers,
    lostShare: number(/Queries lost:\s+(\d+)/) / number(/Queries sent:\s+(\d+)/),
    p99Ms: rate ? percentile(text, 0.99) : Number.NaN,
    lateShare:
      asking.lateMs === undefined ? Number.NaN : shareAbove(text, asking.lateMs, number(/Queries sent:\s+(\d+)/)),
  };
}

/** The median of `runs` after a warm-up run. */
export async function medianOf(runs: number, asking: Asking): Promise<Figures> {
  await perf(asking);
  const all: Figures[] = [];
  while (all.length < runs) all.push(await perf(asking));
  return median(all);
}

export function median(all: readonly Figures[]): Figures {
  const inOrder = all.toSorted((one, other) => one.microseconds - other.microseconds);
  return inOrder[Math.floor(all.length / 2)]!;
}

/** From lines like `> NOERROR www.example.org A 0.000123`, in order. */
const latencies = (output: string): Float64Array =>
  Float64Array.from(output.matchAll(/^> .* ([\d.]+)$/gm), (line) => Number(line[1])).sort();

function percentile(output: string, share: number): number {
  const seconds = latencies(output);
  return (seconds[Math.floor(seconds.length * share)] ?? Number.NaN) * 1000;
}

/** Includes queries without an answer. */
function shareAbove(output: string, ms: number, sent: number): number {
  const early = latencies(output).filter((seconds) => seconds * 1000 <= ms).length;
  return 1 - early / sent;
}

export const asQueries = (file: string, names: readonly string[]): string => {
  writeFileSync(file, `${names.map((name) => `${name} A`).join('\n')}\n`);
  return file;
};

/** Waits, because some servers load their lists first. */
export async function answers(port: number, name: string, expected: string): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) {
    const { stdout } = spawnSync('dig', ['@127.0.0.1', '-p', String(port), name, '+short', '+tries=1', '+time=1'], {
      encoding: 'utf8',
    });
    if (stdout.includes(expected)) return true;
    await sleep(500);
  }
  return false;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Starts programs pinned to CPUs and ends them. */
export function startPrograms() {
  const children: ChildProcess[] = [];
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill();
    const isSlow = await Promise.race([exited.then(() => false), sleep(5000, true)]);
    if (isSlow) child.kill('SIGKILL');
    await exited;
  };
  return {
    start(command: readonly string[], processors = '0'): ChildProcess {
      const child = spawn('taskset', ['-c', processors, ...command], { stdio: ['ignore', 'ignore', 'ignore'] });
      children.push(child);
      return child;
    },
    end,
    endAll: async (): Promise<void> => {
      for (const child of children) await end(child);
    },
  };
}

export type Programs = ReturnType<typeof startPrograms>;
