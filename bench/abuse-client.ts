import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { queryFor } from '../src/dns/message.ts';
import { classes, types } from '../src/dns/numbers.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { deviceOption } from '../test/support/dns/packets.ts';
import { name } from '../test/support/resolver/upstream/messages.ts';
import type { ClientData, Count, Measure, Window } from './abuse-measures.ts';

const client = workerData as ClientData;
const { ports, device, authorization } = client;
const HOST = '127.0.0.1';
const SOURCE = client.sources[0]!;
const DNS_MS = 2000;
// Timeout including the handshake, after which clients try another server.
const STREAM_MS = 5000;
const API_MS = 5000;
const SIGN_IN_MS = 10_000;
const COMPILE_MS = 10_000;
const LIST_MS = 15_000;
const NOERROR = 0;

let serial = 0;
const anySource = (): string => client.sources[serial++ % client.sources.length]!;

function queryOf(domain: string, id: number, as?: string): Uint8Array {
  const options = as === undefined ? [] : [deviceOption(as)];
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options };
  return writeMessage(queryFor({ name: name(domain), type: types.A, class: classes.IN }, id, edns));
}

const isAnswer = (bytes: Uint8Array | undefined): boolean =>
  bytes !== undefined && bytes.length > 12 && (bytes[3]! & 0xf) === NOERROR && bytes[7]! > 0;

const socket = createSocket('udp4');
const pending = new Map<number, (bytes: Uint8Array) => void>();
socket.on('error', () => {}).on('message', (bytes) => pending.get(bytes.readUInt16BE(0))?.(bytes));
socket.bind(0, SOURCE);
await once(socket, 'listening');

async function askUdp(domain: string): Promise<boolean> {
  const id = serial++ & 0xffff;
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  pending.set(id, resolve);
  socket.send(queryOf(domain, id, device), ports.dns, HOST);
  const late = setTimeout(resolve, DNS_MS, undefined);
  const bytes = await promise;
  clearTimeout(late);
  pending.delete(id);
  return isAnswer(bytes);
}

/** A handshake and one query. */
async function askDot(): Promise<boolean> {
  const tls = connectTls({
    socket: connectTcp({ port: ports.dot, host: HOST, localAddress: anySource() }),
    servername: `${device}.${client.deviceDomain}`,
    rejectUnauthorized: false,
  });
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  tls.on('error', () => resolve(undefined)).on('close', () => resolve(undefined));
  tls.once('data', (chunk: Buffer) => resolve(chunk.subarray(2)));
  const query = queryOf('cached.example.com', 1);
  tls.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]));
  setTimeout(resolve, STREAM_MS, undefined);
  const bytes = await promise;
  tls.destroy();
  return isAnswer(bytes);
}

async function askDoh(): Promise<boolean> {
  const tls = connectTls({
    socket: connectTcp({ port: ports.doh, host: HOST, localAddress: anySource() }),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  }).on('error', () => {});
  const session = connectHttp2(`https://${HOST}:${ports.doh}`, { createConnection: () => tls });
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  session.on('error', () => resolve(undefined)).on('close', () => resolve(undefined));
  const stream = session.request({
    ':method': 'POST',
    ':path': `/dns-query/${device}`,
    'content-type': 'application/dns-message',
  });
  const chunks: Buffer[] = [];
  stream.on('error', () => resolve(undefined)).on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => resolve(Buffer.concat(chunks)));
  stream.end(queryOf('cached.example.com', 0));
  setTimeout(resolve, STREAM_MS, undefined);
  const bytes = await promise;
  session.destroy();
  return isAnswer(bytes);
}

type Sent = { readonly method: string; readonly path: string; readonly json?: object; readonly from?: string };

/** One request on a separate connection; returns the status, or 0 on timeout. */
async function call({ method, path, json, from = SOURCE }: Sent, timeoutMs: number): Promise<[number, string]> {
  const sent = httpRequest({
    host: HOST,
    port: client.httpPort,
    localAddress: from,
    agent: false,
    method,
    path,
    headers: { authorization, ...(json && { 'content-type': 'application/json' }) },
  });
  const late = setTimeout(() => sent.destroy(new Error('timeout')), timeoutMs);
  try {
    sent.end(json && JSON.stringify(json));
    const [response] = await once(sent, 'response');
    return [response.statusCode, await text(response)];
  } catch {
    return [0, ''];
  } finally {
    clearTimeout(late);
    sent.destroy();
  }
}

const succeeds = async (sent: Sent, timeoutMs: number): Promise<boolean> => (await call(sent, timeoutMs))[0] === 200;

const signIn = (): Promise<boolean> =>
  succeeds(
    { method: 'POST', path: '/api/v1/session', json: { email: client.email, password: client.password } },
    SIGN_IN_MS,
  );

/** From a different address each time, because each may compile only a few times per minute. */
function compile(): Promise<boolean> {
  const number = serial++;
  const configuration = { name: `honest ${number}`, sources: [{ source: `||a${number}.example^\n||b.example^` }] };
  const from = client.sources[number % client.sources.length]!;
  return succeeds({ method: 'POST', path: '/compile', json: { configuration }, from }, COMPILE_MS);
}

/** Changes the address of the list; the new number of rules shows when it has been downloaded. */
async function refreshList(): Promise<boolean> {
  const rules = 10 + (serial++ % 5000);
  const path = `/api/v1/custom_lists/${client.list}`;
  const end = performance.now() + LIST_MS;
  if (!(await succeeds({ method: 'PUT', path, json: { url: `${client.origin}/${rules}` } }, API_MS))) return false;
  while (performance.now() < end) {
    const [status, body] = await call({ method: 'GET', path }, API_MS);
    if (status === 200 && JSON.parse(body).rules_count === rules) return true;
    await sleep(200);
  }
  return false;
}

const settingsPath = `/oapi/v1/dns_servers/${client.server}/settings`;
type Task = {
  readonly everyMs: number;
  readonly run: () => Promise<boolean>;
  /** Whether a task waits for the previous one, because they change the same data. */
  readonly isSerial?: true;
};

const tasks: Readonly<Record<Measure, Task>> = {
  cached: { everyMs: 50, run: () => askUdp('cached.example.com') },
  new: { everyMs: 150, run: () => askUdp(`new${serial++}-${Date.now()}.example.com`) },
  dot: { everyMs: 400, run: askDot },
  doh: { everyMs: 400, run: askDoh },
  read: { everyMs: 250, run: () => succeeds({ method: 'GET', path: '/oapi/v1/devices' }, API_MS) },
  write: {
    everyMs: 800,
    run: () => succeeds({ method: 'PUT', path: settingsPath, json: { block_ttl_seconds: 10 + (serial % 50) } }, API_MS),
  },
  signIn: { everyMs: 2500, run: signIn },
  compile: { everyMs: 2000, run: compile },
  list: { everyMs: 3000, run: refreshList, isSerial: true },
};

/** Starts a task at a fixed rate, even if the previous one is not finished, so that a slow server does not slow down the client. */
async function repeat({ everyMs, run, isSerial }: Task, seconds: number) {
  const outcomes: Promise<{ isOk: boolean; tookMs: number }>[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const startedAt = performance.now();
    outcomes.push(run().then((isOk) => ({ isOk, tookMs: performance.now() - startedAt })));
    if (isSerial) await outcomes.at(-1);
    await sleep(everyMs);
  }
  return Promise.all(outcomes);
}

async function measure(seconds: number): Promise<Window> {
  const apiMs: number[] = [];
  const counted = await Promise.all(
    Object.entries(tasks).map(async ([measure, task]) => {
      const outcomes = await repeat(task, seconds);
      const tookMs = outcomes.map((outcome) => outcome.tookMs);
      if (measure === 'read' || measure === 'write') apiMs.push(...tookMs);
      const succeeded = outcomes.filter(({ isOk }) => isOk).length;
      return [measure, { tried: outcomes.length, succeeded, slowestMs: Math.max(...tookMs) }] as const;
    }),
  );
  apiMs.sort((one, other) => one - other);
  const counts = Object.fromEntries(counted) as Record<Measure, Count>;
  return { counts, apiP99Ms: apiMs[Math.floor((apiMs.length - 1) * 0.99)]! };
}

parentPort!.on('message', (seconds: number) => void measure(seconds).then((window) => parentPort!.postMessage(window)));
