import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { type Connection, createConnection } from '../../../../src/resolver/transport/http2/connection.ts';
import { FRAME_HEAD, frameTypes, preface } from '../../../../src/resolver/transport/http2/http2-frames.ts';
import type { AnswerRequest, Response } from '../../../../src/resolver/transport/http2/stream.ts';
import { END_HEADERS, END_STREAM, frame, requestHeaders } from '../transport/raw-http2.ts';

const MAX_BODY = 65_535;

type Sent = { readonly type: keyof typeof frameTypes; readonly flag: number; readonly id: number; payload: Buffer };

export type Talk = {
  readonly connection: Connection;
  /** Frames sent since the last call. */
  readonly sent: () => readonly Sent[];
  readonly isEnded: () => boolean;
  readonly doing: () => string;
  readonly wait: (ms: number) => void;
};

/** A connection without a socket, and with a clock that stands still. `greeted` begins as every client does. */
export function talk(answer: AnswerRequest, { greeted = true } = {}): Talk {
  const chunks: Buffer[] = [];
  let isEnded = false;
  let doing = 'first';
  let clock = 0;
  const connection = createConnection({
    answer,
    maxBody: MAX_BODY,
    send: (bytes) => void chunks.push(Buffer.from(bytes)),
    end: () => {
      isEnded = true;
    },
    moved: (now) => {
      doing = now;
    },
    now: () => clock,
  });
  if (greeted) {
    connection.read(Buffer.concat([preface, frame('settings', 0, 0)]));
    chunks.length = 0;
  }
  return {
    connection,
    sent: () => framesOf(Buffer.concat(chunks.splice(0))),
    isEnded: () => isEnded,
    doing: () => doing,
    wait: (ms) => {
      clock += ms;
    },
  };
}

const names = Object.keys(frameTypes) as Sent['type'][];

function framesOf(bytes: Buffer): readonly Sent[] {
  const frames: Sent[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + FRAME_HEAD + bytes.readUIntBE(at, 3);
    const type = names.find((name) => frameTypes[name] === bytes[at + 3])!;
    const payload = bytes.subarray(at + FRAME_HEAD, end);
    frames.push({ type, flag: bytes[at + 4]!, id: bytes.readUInt32BE(at + 5), payload });
    at = end;
  }
  return frames;
}

export const reply = (body: string | Uint8Array): Response => ({
  status: 200,
  type: 'text/plain',
  body: Buffer.from(body),
});

/** GET is answered at once with its path, POST with its body. */
export const echo: AnswerRequest = (head, respond) => {
  if (head.method === 'POST') return (body) => respond(body ? reply(body) : { ...reply('too long'), status: 413 });
  respond(reply(head.path));
  return undefined;
};
export const silent: AnswerRequest = () => undefined;

export const whole = END_HEADERS | END_STREAM;
export const get = (id: number, path = '/'): Buffer => frame('headers', whole, id, requestHeaders(path));
/** POST https / */
export const post = (id: number, more: readonly number[] = []): Buffer =>
  frame('headers', END_HEADERS, id, Buffer.from([0x83, 0x87, 0x84, ...more]));
export const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
export const setting = (id: number, value: number): Buffer =>
  frame('settings', 0, 0, Buffer.concat([Buffer.from([0, id]), number(value)]));
export const padded = (length: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([length]), Buffer.from(text), Buffer.alloc(length)]);

/** The answers in what was sent, by stream. */
export const bodies = (sent: ReturnType<Talk['sent']>): Record<number, string> => {
  const found: Record<number, string> = {};
  for (const { type, id, payload } of sent)
    if (type === 'data') found[id] = (found[id] ?? '') + payload.toString('latin1');
  return found;
};
export const resets = (sent: ReturnType<Talk['sent']>): readonly (readonly [number, number])[] =>
  sent.filter(({ type }) => type === 'reset').map(({ id, payload }) => [id, payload.readUInt32BE(0)] as const);
export const goAway = (sent: ReturnType<Talk['sent']>): number | undefined =>
  sent.find(({ type }) => type === 'goAway')?.payload.readUInt32BE(4);

export const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
export const head = (...fields: readonly Buffer[]): Buffer => frame('headers', whole, 1, Buffer.concat(fields));
export const [method, scheme, path] = [Buffer.from([0x82]), Buffer.from([0x87]), Buffer.from([0x84])];

/** The client of node:http2 at the other end. */
export async function nodeClient(
  t: TestContext,
  answer: AnswerRequest,
  options: Parameters<typeof connect>[1] = {},
): Promise<ClientHttp2Session> {
  const server = createServer((socket) => {
    const connection = createConnection({
      answer,
      maxBody: MAX_BODY,
      send: (bytes) => void socket.write(bytes),
      end: () => void socket.end(),
      moved: () => undefined,
      now: () => performance.now(),
    });
    socket.on('data', (chunk) => connection.read(chunk as Buffer));
    socket.on('error', () => undefined);
    socket.on('close', connection.lost);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as { port: number }).port}`, options);
  session.on('error', () => undefined);
  t.after(() => {
    session.destroy();
    server.close();
  });
  await once(session, 'remoteSettings');
  return session;
}
