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

/** A program that runs until the test is over. */
export function startProgram(t: Ending, program: string, words: readonly string[]): ChildProcess {
  const child = spawn(program, words, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}
