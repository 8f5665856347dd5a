import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { deviceOption } from '../../../src/dns/edns.ts';
import { queryFor } from '../../../src/dns/message.ts';
import { classes, types } from '../../../src/dns/numbers.ts';
import { writeMessage } from '../../../src/dns/write-message.ts';
import { name } from '../../../src/resolver/upstream/messages-for-tests.ts';

export type GuessingTarget = {
  readonly ports: { readonly dns: number; readonly dot: number; readonly doh: number };
  readonly deviceDomain: string;
  /** The device whose password is guessed over DoH. */
  readonly device: string;
  /** The source address of all guesses. */
  readonly source?: string;
  /** Guesses per second and transport. */
  readonly rate?: number;
};

export type Guessing = {
  /** Guesses that got an answer, by transport: a throttle makes this number stop growing. */
  readonly answered: Readonly<Record<'udp' | 'dot' | 'doh' | 'password', number>>;
  stop(): Promise<void>;
};

const HOST = '127.0.0.1';
const randomId = (): string => randomBytes(4).toString('hex');
const queryAs = (device?: string): Uint8Array => {
  const options = device === undefined ? [] : [deviceOption(device)];
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options };
  return writeMessage(queryFor({ name: name('guess.example.com'), type: types.A, class: classes.IN }, 1, edns));
};

/** Guesses device ids over UDP, DoT and DoH, and DoH passwords of one device, from one address. */
export async function startIdGuessing(target: GuessingTarget): Promise<Guessing> {
  const { ports, deviceDomain, device, source = '127.66.6.6', rate = 100 } = target;
  const answered = { udp: 0, dot: 0, doh: 0, password: 0 };
  let isStopped = false;
  const socket = createSocket('udp4');
  socket.bind(0, source);
  await once(socket, 'listening');
  socket.on('message', () => void answered.udp++).on('error', () => {});

  const guessDot = async (): Promise<void> => {
    const tls = connectTls({
      socket: connectTcp({ port: ports.dot, host: HOST, localAddress: source }),
      servername: `${randomId()}.${deviceDomain}`,
      rejectUnauthorized: false,
    });
    const query = queryAs();
    const framed = Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]);
    tls.on('error', () => {}).on('secureConnect', () => tls.write(framed));
    tls.once('data', () => {
      answered.dot++;
      tls.destroy();
    });
    await Promise.race([once(tls, 'close'), sleep(2000)]).catch(() => {});
    tls.destroy();
  };

  let session: ClientHttp2Session | undefined;
  const post = (kind: 'doh' | 'password'): void => {
    if (!session || session.destroyed || session.closed) {
      const socket = connectTcp({ port: ports.doh, host: HOST, localAddress: source });
      const tls = connectTls({ socket, ALPNProtocols: ['h2'], rejectUnauthorized: false }).on('error', () => {});
      session = connectHttp2(`https://${HOST}:${ports.doh}`, { createConnection: () => tls }).on('error', () => {});
    }
    const password = Buffer.from(`${device}:${randomId()}`).toString('base64');
    const headers = {
      ':method': 'POST',
      ':path': kind === 'doh' ? `/dns-query/${randomId()}` : '/dns-query',
      'content-type': 'application/dns-message',
      ...(kind === 'password' && { authorization: `Basic ${password}` }),
    };
    const stream = session.request(headers);
    stream.on('error', () => {}).on('response', () => void answered[kind]++);
    stream.resume().end(queryAs());
  };

  const pauseMs = 1000 / rate;
  const guessing = (async () => {
    while (!isStopped) {
      socket.send(queryAs(randomId()), ports.dns, HOST);
      void guessDot();
      post('doh');
      post('password');
      await sleep(pauseMs);
    }
  })();
  return {
    answered,
    async stop() {
      isStopped = true;
      await guessing;
      socket.close();
      session?.destroy();
    },
  };
}
