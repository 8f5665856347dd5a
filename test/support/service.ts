import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { temporaryFolder } from './app/temporary-folder.ts';
import { bin } from './weir.ts';

export type Service = {
  readonly url: string;
  readonly port: number;
  readonly adminPort: number;
  readonly data: string;
  readonly pid: number;
  /** Everything it has logged so far, a JSON line each. */
  readonly log: readonly Record<string, unknown>[];
  /** Ends it and gives the exit code; by SIGTERM unless said. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** A test, or `{ after }` of node:test for a whole file. */
type Ending = { after(end: () => unknown): void };

/** A folder that is there already; what its environment has beside the path; its limit of open files. */
export type Given = {
  readonly data?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly openFiles?: number;
  /** Another program than that of this checkout. */
  readonly program?: string;
  /** Called with each line of the log. */
  readonly onLine?: (entry: Record<string, unknown>, stop: (signal: NodeJS.Signals) => unknown) => void;
};

/** `weir serve` as users start it, in a process of its own, on free ports. It ends with the test. */
export async function startService(t: Ending, flags: readonly string[] = [], given: Given = {}): Promise<Service> {
  // Ended before its folder is removed: hooks run in the order of their making.
  let end = async (): Promise<unknown> => undefined;
  t.after(() => end());
  const data = given.data ?? (await temporaryFolder(t));
  // Tests that ask no DNS need none.
  const quiet = ['--dns', '--dot', '--doh'].filter((flag) => !flags.includes(flag)).flatMap((flag) => [flag, 'off']);
  const hasHttp = flags[flags.indexOf('--role') + 1] !== 'dns';
  const http = hasHttp ? ['--http', '127.0.0.1:0'] : [];
  const words = ['serve', '--data', data, ...http, '--admin', '127.0.0.1:0', '--log', 'json'];
  const { openFiles } = given;
  const limited = openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`];
  const [program, ...rest] = [...limited, given.program ?? `${bin}weir`, ...words, ...quiet, ...flags];
  const child = spawn(program!, rest, {
    env: { PATH: process.env['PATH'], ...given.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += String(text);
  });
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  };
  end = () => stop('SIGKILL');

  const log: Record<string, unknown>[] = [];
  const listening = new Promise<Record<string, unknown>>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      given.onLine?.(entry, stop);
      if (entry['msg'] === 'listening') resolve(entry);
    });
  });
  const tooEarly = ended.then(() => assert.fail(`the service did not start: ${complaints}`));
  const { port, adminPort } = await Promise.race([listening, tooEarly]);
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    port: Number(port),
    adminPort: Number(adminPort),
    data,
    pid: child.pid!,
    log,
    stop,
  };
}

/** Posts JSON and gives status, headers and what came back. */
export async function post(
  service: Pick<Service, 'url'>,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; text: string; json: Answered }> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: (isJson ? JSON.parse(text) : {}) as Answered,
  };
}

/** Members of any response. */
export type Answered = {
  success?: boolean;
  error?: string;
  details?: { path: string; message: string }[];
  rules?: string[];
  ruleCount?: number;
  compiledAt?: string;
  cached?: boolean;
  deduplicated?: boolean;
  metrics?: Record<string, unknown>;
  previousVersion?: { rules: string[]; ruleCount: number; compiledAt: string };
  results?: (Answered & { id: string })[];
  [member: string]: unknown;
};

export type ServerEvent = { id: string; event: string; data: Record<string, unknown> };

/** All events of a stream, to its end. */
export async function postStream(
  service: Pick<Service, 'url'>,
  body: unknown,
): Promise<{ status: number; headers: Headers; events: ServerEvent[]; text: string }> {
  const { status, headers, text } = await post(service, '/compile/stream', body);
  const events = text
    .split('\n\n')
    .filter((frame) => frame !== '' && !frame.startsWith(':'))
    .map(
      (frame) =>
        Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s, 2))) as Record<string, string>,
    )
    .map(({ id = '', event = '', data = 'null' }) => ({
      id,
      event,
      data: JSON.parse(data) as Record<string, unknown>,
    }));
  return { status, headers, events, text };
}
