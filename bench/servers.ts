import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const root = fileURLToPath(new URL('..', import.meta.url));
const weir = join(root, 'bin/weir');
const anyPort = ['--http', '--admin', '--dns', '--dot', '--doh'].flatMap((flag) => [flag, '127.0.0.1:0']);
const CONNECTIONS = 50;
const TICKS_PER_SECOND = 100;

export type Server = {
  readonly url: string;
  /** Address of metrics, if the server has them. */
  readonly adminUrl: string;
  readonly pid: number;
  readonly startSeconds: number;
};

type Told = { readonly msg?: string; readonly port?: number; readonly adminPort?: number };

/** Starts servers as processes and stops them. */
export function startServers() {
  const children: ChildProcess[] = [];
  const start = async (command: string, words: readonly string[]): Promise<Server> => {
    const startedAt = performance.now();
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${command} ended with ${code}`)));
    // Other log lines may come first.
    const listening = new Promise<Told>((resolve) => {
      lines.on('line', (line) => {
        const entry = JSON.parse(line) as Told;
        if (entry.msg === 'listening') resolve(entry);
      });
    });
    const { port, adminPort } = await Promise.race([listening, ended]);
    ended.catch(() => {});
    const [url, adminUrl] = [port, adminPort].map((number) => `http://127.0.0.1:${number}`) as [string, string];
    return { url, adminUrl, pid: child.pid!, startSeconds: (performance.now() - startedAt) / 1000 };
  };
  return {
    service: (data: string, flags: readonly string[] = []): Promise<Server> =>
      start(weir, ['serve', '--data', data, ...anyPort, '--log', 'json', ...flags]),
    constant: (path: string, answer: string): Promise<Server> =>
      start(process.execPath, [join(root, 'bench/constant-server.ts'), answer, path]),
    stop: async (): Promise<void> => {
      for (const child of children) child.kill();
      await Promise.all(children.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')));
    },
  };
}

export type Servers = ReturnType<typeof startServers>;

type Asking = { readonly path: string; readonly authorization?: string };

export type Answered = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server per response. */
  readonly cpuMicroseconds: number;
};

/** Maximum request rate over fifty connections. */
export async function load({ url, pid }: Server, asking: readonly Asking[], duration: number): Promise<Answered> {
  const before = cpuSecondsOf(pid);
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    requests: asking.map(({ path, authorization }) => ({ path, ...(authorization && { headers: { authorization } }) })),
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} of ${requests.total} requests to ${url} failed`);
  if (requests.total === 0) throw new Error(`${url} answered nothing in ${duration} s`);
  return {
    perSecond: requests.average,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    cpuMicroseconds: ((cpuSecondsOf(pid) - before) / requests.total) * 1e6,
  };
}

/** User and system time of a process so far, all its threads together (proc_pid_stat(5), fields 14 and 15). */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process, now and at its peak. */
export function memoryOf(pid: number): { readonly nowBytes: number; readonly peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { nowBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}
