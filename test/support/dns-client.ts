import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { type Message, queryFor } from '../../src/dns/message.ts';
import { classes, types } from '../../src/dns/numbers.ts';
import { readMessage } from '../../src/dns/read-message.ts';
import { writeMessage } from '../../src/dns/write-message.ts';
import { framed, frameReader } from '../../src/resolver/upstream/length-prefixed.ts';
import type { Digging } from './dig.ts';
import { deviceOption } from './dns/packets.ts';
import { name } from './resolver/upstream/messages.ts';

type Ending = { after(end: () => unknown): void };

/** Queries the address of a name; for many queries, for which starting a program each would take too long. */
export type Asks = (domain: string) => Promise<Message>;

const queryOf = (domain: string, id: number, device?: string): Uint8Array => {
  const options = device === undefined ? [] : [deviceOption(device)];
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options };
  return writeMessage(queryFor({ name: name(domain), type: types.A, class: classes.IN }, id, edns));
};

function read(bytes: Uint8Array): Message {
  const message = readMessage(Uint8Array.from(bytes));
  assert.ok(message.ok);
  return message.value;
}

/** Matches answers to queries by id. */
function waitingRoom() {
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  return {
    take: (bytes: Uint8Array): void => {
      const message = read(bytes);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    },
    async enter(send: (id: number) => void): Promise<Message> {
      last = (last + 1) & 0xffff;
      const id = last;
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
      send(id);
      return answered;
    },
  };
}

/** Uses many source ports in turn, because the thread that gets a packet depends on the source. */
export async function overUdp(t: Ending, { ports }: Digging, device: string, sockets = 16): Promise<Asks> {
  const all = await Promise.all(
    Array.from({ length: sockets }, async () => {
      const socket = createSocket('udp4');
      const room = waitingRoom();
      socket.on('message', room.take);
      socket.connect(ports.dns, '127.0.0.1');
      await once(socket, 'connect');
      t.after(() => socket.close());
      return (domain: string) => room.enter((id) => socket.send(queryOf(domain, id, device)));
    }),
  );
  let turn = 0;
  return (domain) => all[turn++ % all.length]!(domain);
}

export async function overTls(t: Ending, digging: Digging, device: string): Promise<Asks> {
  const { ports, certificate, deviceDomain } = digging;
  const servername = `${device}.${deviceDomain}`;
  const socket = connectTls({ host: '127.0.0.1', port: ports.dot, servername, ca: readFileSync(certificate) });
  await once(socket, 'secureConnect');
  t.after(() => socket.destroy());
  const room = waitingRoom();
  const reader = frameReader(room.take);
  socket.on('data', (chunk: Buffer) => void reader(chunk));
  return (domain) => room.enter((id) => void socket.write(framed(queryOf(domain, id))));
}

export async function overHttps(t: Ending, { ports, certificate }: Digging, device: string): Promise<Asks> {
  const session = connectHttp2(`https://127.0.0.1:${ports.doh}`, { ca: readFileSync(certificate) });
  await once(session, 'connect');
  t.after(() => session.destroy());
  return async (domain) => {
    const query = Buffer.from(queryOf(domain, 0)).toString('base64url');
    const stream = session.request({ ':path': `/dns-query/${device}?dns=${query}` });
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(stream, 'end');
    return read(Buffer.concat(chunks));
  };
}

/** The first address of an answer, as text. */
export const addressIn = ({ answer }: Message): string | undefined =>
  answer.find(({ type }) => type === types.A)?.data.join('.');
