import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { text as textOf } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './app/temporary-folder.ts';
import { type Answered, type Service, startService } from './service.ts';

export type Answer = { status: number; headers: IncomingMessage['headers']; text: string; json: Answered };

export type Manner = {
  readonly method?: string;
  /** Addresses of 127.0.0.0/8, each of which is a separate client for the service. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly signal?: AbortSignal;
};

export const folderOfFile = (files: Readonly<Record<string, string>>): Promise<string> =>
  temporaryFolder({ after: (end: unknown) => after(end as () => unknown) }, files);

/** A service for all tests of a file. Resources are released in reverse order: a folder is removed after its writer. */
export async function serviceOfFile(flags: readonly string[] = [], given?: { data: string }): Promise<Service> {
  const endings: (() => unknown)[] = [];
  after(async () => {
    for (const end of endings.reverse()) await end();
  });
  return startService({ after: (end: unknown) => void endings.push(end as () => unknown) }, flags, given);
}

/** Sends a request as any local client, and checks that the response discloses no internal details. */
export async function ask(service: Service, path: string, body: unknown, manner: Manner = {}): Promise<Answer> {
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const response = await begin(service, path, sent, manner);
  const text = await textOf(response);
  assertDiscreet(text, sent);
  const isJson = response.headers['content-type']?.startsWith('application/json');
  const json = (isJson ? JSON.parse(text) : {}) as Answered;
  return { status: response.statusCode!, headers: response.headers, text, json };
}

/** Like `ask`, but only waits for the headers of the response. */
export async function begin(
  service: Service,
  path: string,
  body: string | Buffer,
  { method = 'POST', from = '127.0.0.1', headers, signal }: Manner = {},
): Promise<IncomingMessage> {
  const sent = request(`${service.url}${path}`, {
    method,
    localAddress: from,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
    ...(signal && { signal }),
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [response] = await answered;
  // A request that is rejected early may still be sending.
  sent.on('error', () => {});
  return response;
}

const insides = [
  /^\s+at .*:\d+:\d+\)?$/m,
  /\bnode:(internal|net|http|fs|zlib)/,
  /node_modules/,
  /\.ts:\d+/,
  /\bE(CONN|NOENT|NOTFOUND|ACCES|PIPE|HOST|TIMEDOUT|AI_)/,
];

const ownPaths = [fileURLToPath(new URL('../../', import.meta.url)), `${tmpdir()}/weir-`];

/** Texts of the request may be echoed. */
function assertDiscreet(text: string, sent: string | Buffer): void {
  for (const inside of insides) assert.doesNotMatch(text, inside);
  for (const path of ownPaths)
    assert.ok(sent.includes(path) || !text.includes(path), `tells of ${path}: ${text.slice(0, 500)}`);
}

/** Sends these bytes and returns everything received until the connection is closed. */
export async function sendRaw(service: Service, bytes: string | Buffer, patienceMs = 5000): Promise<string> {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  const late = setTimeout(patienceMs, undefined, { ref: false }).then(() => void socket.destroy());
  const heard = await Promise.race([textOf(socket).catch(() => ''), late]);
  assert.ok(heard !== undefined, 'the connection was left open');
  return heard;
}

export const configurationOf = (source: string, more: object = {}) => ({
  configuration: { name: 'List', sources: [{ source }], ...more },
});

/** A list sent with the request, which is not cached, so that each request is a compilation. */
export const broughtAlong = (text: string, more: object = {}) => ({
  configuration: { name: 'List', sources: [{ source: 'brought.txt', ...more }] },
  preFetchedContent: { 'brought.txt': text },
});

export const rulesIn = ({ json }: Pick<Answer, 'json'>): string[] =>
  (json.rules ?? []).filter((line) => /^[^!\s]/.test(line));

/** An expression with catastrophic backtracking, and a line that triggers it. */
export const RUNAWAY = { pattern: '/^(a+)+$/', line: `${'a'.repeat(40)}!` };
