import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { wireName } from '../src/kit/wire-name.ts';
import type { Bar } from './bars.ts';
import type { Bench } from './dns.ts';
import { type Figures, freePort, perf } from './dns-asking.ts';
import { startWeir } from './dns-weir.ts';
import { cpuSecondsOf } from './servers.ts';

const LEAST = 0.7;
const SECONDS = 3;
const NAMES = 5000;
const HEADER = Buffer.from([0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const A_IN = Buffer.from([0, 1, 0, 1]);
/** Size of a response: the question, and one A record whose name is a compression pointer. */
const answerLength = (name: Uint8Array): number => HEADER.length + name.length + A_IN.length + 16;

/** DNS over HTTPS against a bare node:http2 server. The load generator is h2load, because dnsperf stalls with Node's HTTP/2. */
export async function measureHttps(bench: Bench): Promise<readonly Bar[]> {
  const { programs, files, knownName } = bench;
  const folder = bench.home('https');
  const weir = await startWeir({ ...bench, folder });
  await perf({ pid: weir.pid, port: weir.ports.dns, file: files.warm });
  const names = Array.from({ length: NAMES }, (_, i) =>
    i % 2 ? bench.blocked[(i * 7919) % bench.blocked.length]! : `host${i}.cached-names.net`,
  );
  const paths = join(folder, 'paths');
  const query = (name: string): string => Buffer.concat([HEADER, wireName(name)!, A_IN]).toString('base64url');
  const echoPort = await freePort();
  const urls = (port: number): string => {
    writeFileSync(paths, names.map((name) => `https://127.0.0.1:${port}/dns-query?dns=${query(name)}\n`).join(''));
    return paths;
  };
  const identity = [join(weir.data, 'self-signed.crt'), join(weir.data, 'self-signed.key')];
  const script = fileURLToPath(new URL('http2-echo.ts', import.meta.url));
  const words = [process.execPath, script, ...identity, `${echoPort}`, `${answerLength(wireName(knownName)!)}`];
  const echo = programs.start(words);
  await listening(echoPort);

  const runs: { ours: Figures; bare: Figures }[] = [];
  for (let run = 0; run <= bench.runs; run++)
    runs.push({
      ours: await load(weir.pid, urls(weir.ports.doh)),
      bare: await load(echo.pid!, urls(echoPort)),
    });
  await weir.end();
  await programs.end(echo);
  // The first run of each is a warm-up.
  const ratios = runs.slice(1).toSorted((one, other) => ratioOf(one) - ratioOf(other));
  const middle = ratios[Math.floor(ratios.length / 2)]!;
  bench.note('Weir https', middle.ours);
  bench.note('node:http2 alone', middle.bare);
  return [
    {
      what: `https: requests a second, at least ${LEAST} of node:http2 alone`,
      figure: `${ratioOf(middle).toFixed(2)}`,
      met: ratioOf(middle) >= LEAST,
    },
  ];
}

const ratioOf = ({ ours, bare }: { readonly ours: Figures; readonly bare: Figures }): number =>
  ours.perSecond / bare.perSecond;

/** Four connections, each with the maximum number of streams. */
async function load(pid: number, paths: string): Promise<Figures> {
  const before = cpuSecondsOf(pid);
  const words = ['-c', '1', 'h2load', '-D', `${SECONDS}`, '-c', '4', '-m', '100', '-i', paths];
  const { stdout } = await promisify(execFile)('taskset', words, { encoding: 'utf8' });
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
  const answers = number(/(\d+) 2xx/);
  return {
    microseconds: ((cpuSecondsOf(pid) - before) / answers) * 1e6,
    perSecond: answers / SECONDS,
    answers,
    lostShare: number(/(\d+) failed/) / number(/requests: (\d+) total/),
    p99Ms: Number.NaN,
    lateShare: Number.NaN,
  };
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isThere) return;
    await sleep(100);
  }
}
