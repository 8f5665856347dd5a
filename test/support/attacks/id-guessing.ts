import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { queryFor } from '../../../src/dns/message.ts';
import { classes, types } from '../../../src/dns/numbers.ts';
import { writeMessage } from '../../../src/dns/write-message.ts';
import { wireName } from '../../../src/kit/wire-name.ts';
import { deviceOption } from '../dns/packets.ts';

export type GuessingTarget = {
  readonly host: string;
  /** Ids are guessed over each transport that has a port here. */
  readonly ports: { readonly dns?: number; readonly dot?: number; readonly doh: number };
  readonly deviceDomain?: string;
  /** The device whose password is guessed over DoH. */
  readonly device: string;
  /** Local address that all guesses come from. */
  readonly source?: string;
  /** Guesses per second and kind; default: as fast as they are answered. */
  readonly perSecond?: number;
};

type Kind = 'udp' | 'dot' | 'doh' | 'password';
export type GuessCounts = { sent: number; answered: number; refused: number; failed: number };

const IN_FLIGHT = 20;
const TIMEOUT_MS = 2000;
const FLAGS = 2;
const TRUNCATED = 2;
const RCODE = 3;
const NONE = -1;
const outcomes: Readonly<Record<number, keyof GuessCounts>> = { 5: 'refused', 0: 'answered' };

const randomId = (): string => randomBytes(4).toString('hex');
/** A truncated answer means that the network is over the rate limit, and says nothing about the guess. */
const rcodeOf = (bytes: Uint8Array | undefined): number =>
  bytes === undefined || (bytes[FLAGS]! & TRUNCATED) !== 0 ? NONE : bytes[RCODE]! & 0xf;
const question = { name: wireName('guess.example.com')!, type: types.A, class: classes.IN };
const queryAs = (id: number, device?: string): Buffer => {
  const options = device === undefined ? [] : [deviceOption(device)];
  return Buffer.from(writeMessage(queryFor(question, id, { udpSize: 1232, version: 0, dnssecOk: false, options })));
};

/** Guesses device ids over UDP, DoT and DoH, and passwords of one device over DoH, from one address. */
export async function startIdGuessing(target: GuessingTarget) {
  const { ports, perSecond } = target;
  const https = overHttps(target);
  const udp = ports.dns === undefined ? undefined : await overUdp(target);
  const guesses: Partial<Record<Kind, () => Promise<number>>> = {
    doh: https.guessId,
    password: https.guessPassword,
    ...(ports.dot !== undefined && { dot: () => guessOverTls(target) }),
    ...(udp && { udp: udp.guess }),
  };
  const counts: Partial<Record<Kind, GuessCounts>> = {};
  let isStopped = false;
  const repeat = async (guess: () => Promise<number>, count: GuessCounts): Promise<void> => {
    while (!isStopped) {
      count.sent++;
      count[outcomes[await guess()] ?? 'failed']++;
      if (perSecond !== undefined) await sleep((IN_FLIGHT * 1000) / perSecond);
    }
  };
  const guessing = Object.entries(guesses).flatMap(([kind, guess]) => {
    const count = { sent: 0, answered: 0, refused: 0, failed: 0 };
    counts[kind as Kind] = count;
    return Array.from({ length: IN_FLIGHT }, () => repeat(guess, count));
  });
  return {
    counts: (): Readonly<Partial<Record<Kind, Readonly<GuessCounts>>>> => counts,
    stop: async (): Promise<void> => {
      if (isStopped) return;
      isStopped = true;
      await Promise.all(guessing);
      https.close();
      udp?.close();
    },
  };
}

async function overUdp({ host, ports, source }: GuessingTarget) {
  const socket = createSocket('udp4');
  const pending = new Map<number, (bytes: Uint8Array) => void>();
  socket.on('error', () => {}).on('message', (bytes) => pending.get(bytes.readUInt16BE(0))?.(bytes));
  socket.bind(0, source);
  await once(socket, 'listening');
  let serial = 0;
  const guess = async (): Promise<number> => {
    const id = serial++ & 0xffff;
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
    pending.set(id, resolve);
    socket.send(queryAs(id, randomId()), ports.dns!, host);
    const late = setTimeout(resolve, TIMEOUT_MS, undefined);
    const rcode = rcodeOf(await promise);
    clearTimeout(late);
    pending.delete(id);
    return rcode;
  };
  return { guess, close: (): void => void socket.close() };
}

/** Each guess has a separate connection, because the id is the server name. */
async function guessOverTls({ host, ports, source, deviceDomain }: GuessingTarget): Promise<number> {
  const tls = connectTls({
    socket: connectTcp({ port: ports.dot!, host, ...(source !== undefined && { localAddress: source }) }),
    servername: `${randomId()}.${deviceDomain}`,
    rejectUnauthorized: false,
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  tls.on('error', () => resolve(NONE)).on('close', () => resolve(NONE));
  tls.once('data', (chunk) => resolve(rcodeOf(chunk.subarray(2))));
  const query = queryAs(1);
  tls.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]));
  const late = setTimeout(resolve, TIMEOUT_MS, NONE);
  const rcode = await promise;
  clearTimeout(late);
  tls.destroy();
  return rcode;
}

/** One connection, which is opened again when the server closes it. */
function overHttps({ host, ports, source, device }: GuessingTarget) {
  const path = `dns=${queryAs(0).toString('base64url')}`;
  let session: ClientHttp2Session | undefined;
  const ask = (headers: Readonly<Record<string, string>>): Promise<number> => {
    if (!session || session.destroyed || session.closed) {
      const options = { rejectUnauthorized: false, ...(source !== undefined && { localAddress: source }) };
      session = connectHttp2(`https://${host}:${ports.doh}`, options).on('error', () => {});
    }
    const stream = session.request(headers);
    const { promise, resolve } = Promise.withResolvers<number>();
    let first: Buffer | undefined;
    stream.on('error', () => {}).on('data', (chunk: Buffer) => (first ??= chunk));
    stream.on('close', () => resolve(rcodeOf(first)));
    stream.setTimeout(TIMEOUT_MS, () => stream.close());
    return promise;
  };
  return {
    guessId: () => ask({ ':path': `/dns-query/${randomId()}?${path}` }),
    guessPassword: () => {
      const credentials = Buffer.from(`${device}:${randomId()}`).toString('base64');
      return ask({ ':path': `/dns-query?${path}`, authorization: `Basic ${credentials}` });
    },
    close: (): void => session?.destroy(),
  };
}
