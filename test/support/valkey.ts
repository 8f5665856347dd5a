import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { temporaryFolder } from './app/temporary-folder.ts';
import { freePort } from './kit/ports.ts';
import { until } from './kit/until.ts';
import { env } from './programs.ts';

type Ending = { after(end: () => unknown): void };

export type ValkeyServer = {
  readonly url: string;
  /** Starts it again on the same port. */
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly signal: (name: 'SIGSTOP' | 'SIGCONT') => void;
};

/** Debian's redis-server on a free port, without files. It ends with the test. */
export async function startValkey(t: Ending): Promise<ValkeyServer> {
  const folder = await temporaryFolder(t);
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const words = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    child = spawn('redis-server', words, { env, stdio: 'ignore' });
    await until('the server to listen', () => isListening(port));
  };
  const kill = async (): Promise<void> => {
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    child = undefined;
    await ended;
  };
  t.after(kill);
  await start();
  return { url: `redis://127.0.0.1:${port}`, start, kill, signal: (name) => void child?.kill(name) };
}

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
