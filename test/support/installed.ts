import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { temporaryFolder } from './app/temporary-folder.ts';

type Ending = { after(end: () => unknown): void };

export type Installed = {
  readonly url: string;
  readonly dnsPort: number;
  readonly pid: number;
  stop(): Promise<number | null>;
};

/** `weir serve` of an installed copy, on free ports. It ends with the test. */
export async function serveInstalled(t: Ending, program: string, flags: readonly string[] = []): Promise<Installed> {
  const data = await temporaryFolder(t);
  const ports = ['--http', '127.0.0.1:0', '--dns', '127.0.0.1:0', '--dot', 'off', '--doh', 'off', '--admin', 'off'];
  const child = spawn(program, ['serve', '--data', data, ...ports, '--log', 'json', ...flags], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += String(text);
  });
  const listening = new Promise<{ port: number; dns: { port: number } }>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as { msg: string; port: number; dns: { port: number } };
      if (entry.msg === 'listening') resolve(entry);
    });
  });
  const { port, dns } = await Promise.race([listening, ended.then(() => assert.fail(`not started: ${complaints}`))]);
  return {
    url: `http://127.0.0.1:${port}`,
    dnsPort: dns.port,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}
