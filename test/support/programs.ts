import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

type Ending = { after(end: () => unknown): void };

// Servers stand where only the system's owner looks for programs.
const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'];
export const env = { PATH: folders.join(':') };

/** For the option `skip` of a test: which of these programs are not here, or false. */
export function missing(...programs: readonly string[]): string | false {
  const gone = programs.filter((program) => !folders.some((folder) => existsSync(`${folder}/${program}`)));
  return gone.length > 0 && `no ${gone.join(', ')} here`;
}

export type Ran = { readonly code: number | string; readonly stdout: string; readonly stderr: string };

/** Runs a program to its end, however it ends. */
export const run = (program: string, words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(program, words, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

/** A program that runs until the test is over. If it fails before, its error message is printed. */
export function startProgram(t: Ending, program: string, words: readonly string[]): ChildProcess {
  const child = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const ended = once(child, 'exit');
  child.on('close', (code) => {
    if (code) process.stderr.write(`${[program, ...words].join(' ')}: exit code ${code}: ${errors}\n`);
  });
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

/** dnsmasq in the foreground, without the machine's settings. Of two that start at once and write the same PID file, one exits. */
export const dnsmasqOptions: readonly string[] = [
  '--keep-in-foreground',
  '--conf-file=/dev/null',
  '--no-resolv',
  '--no-hosts',
  '--pid-file=',
  '--user=',
];
