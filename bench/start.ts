import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { queryFor } from '../src/dns/message.ts';
import { classes, types } from '../src/dns/numbers.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { freePort } from '../test/support/kit/ports.ts';
import { name } from '../test/support/resolver/upstream/messages.ts';

const weir = fileURLToPath(new URL('../bin/weir', import.meta.url));
const ASK_EVERY_MS = 5;
const TICKS_A_SECOND = 100;
const CPU_BAR_SECONDS = 2;

/** Time from the start of `weir serve` with an empty store to its first answer over UDP; `--runs N`. */
export async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { runs: { type: 'string', default: '7' } } });
  const starts: { readonly ms: number; readonly cpu: number }[] = [];
  for (let i = 0; i < Number(values.runs); i++) starts.push(await startOnce());
  const middle = (read: (start: (typeof starts)[number]) => number): number =>
    starts.map(read).sort((one, other) => one - other)[Math.floor(starts.length / 2)]!;
  const cpu = middle((start) => start.cpu);
  console.log(
    `first answer over UDP ${Math.round(middle((start) => start.ms))} ms after the start (median of ${starts.length}), ` +
      `CPU until then ${cpu.toFixed(2)} s (bar ${CPU_BAR_SECONDS} s: ${cpu <= CPU_BAR_SECONDS ? 'met' : 'missed'}); ` +
      `all: ${starts.map((start) => `${Math.round(start.ms)} ms`).join(' ')}, ${starts.map((start) => `${start.cpu.toFixed(2)} s`).join(' ')}`,
  );
}

async function startOnce(): Promise<{ ms: number; cpu: number }> {
  const data = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const port = await freePort();
  const query = writeMessage(queryFor({ name: name('example.com'), type: types.A, class: classes.IN }, 1));
  const begun = performance.now();
  const flags = ['http', 'admin', 'dot', 'doh'].flatMap((flag) => [`--${flag}`, '127.0.0.1:0']);
  const child = spawn(weir, ['serve', '--data', data, '--log', 'json', '--dns', `127.0.0.1:${port}`, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const socket = createSocket('udp4');
  let isAnswered = false;
  socket.on('error', () => {});
  socket.on('message', () => {
    isAnswered = true;
  });
  while (!isAnswered && child.exitCode === null) {
    socket.send(query, port, '127.0.0.1');
    await sleep(ASK_EVERY_MS);
  }
  const ms = performance.now() - begun;
  const cpu = cpuSeconds(child.pid!);
  socket.close();
  child.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true });
  return { ms, cpu };
}

/** User and system time of all threads. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
