import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../../bin/', import.meta.url));

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

type Setting = {
  readonly cwd: string;
  /** Text for standard input; null leaves it open. */
  readonly stdin?: string | null;
  readonly env?: Readonly<Record<string, string>>;
};

/** The program as users start it, in a process of its own. */
export function start(command: string, words: readonly string[], { cwd, stdin, env }: Setting) {
  const child: ChildProcess = spawn(command, words, {
    cwd,
    // Nothing of the setting that the tests themselves run in.
    env: { PATH: process.env['PATH'], ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (stdin !== null) child.stdin?.end(stdin);
  const ended = Promise.all([
    new Promise<number | null>((resolve) => child.once('close', resolve)),
    text(child.stdout!),
    text(child.stderr!),
  ]).then(([code, stdout, stderr]): Ended => ({ code, stdout, stderr }));
  return { child, ended };
}

/** Runs `weir compile` to its end. */
export const compile = (words: readonly string[], setting: Setting): Promise<Ended> =>
  start(`${bin}weir`, ['compile', ...words], setting).ended;

/** The rules of a list: what stands in it beside comments and empty lines. */
export const rulesOf = (list: string): string[] => list.split('\n').filter((line) => /^[^!\s]/.test(line));
