import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { frame } from '../raw-http2-for-tests.ts';
import { type Connection, createConnection } from './connection.ts';
import { FRAME_HEAD, frameTypes, preface } from './frames.ts';
import type { AnswerRequest } from './stream.ts';

const MAX_BODY = 65_535;

type Sent = { readonly type: keyof typeof frameTypes; readonly flag: number; readonly id: number; payload: Buffer };

export type Talk = {
  readonly connection: Connection;
  /** Frames that were sent since somebody last asked. */
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
