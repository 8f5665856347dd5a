import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressBytes } from '../identity/address-key.ts';
import {
  type Answers,
  type DnsRequest,
  type Endpoint,
  type IsTrusted,
  type Listening,
  type Report,
  withoutThrowing,
} from './listener.ts';
import { stripProxyHeader } from './proxy-protocol.ts';
import { readUdpCounts, type UdpCount, udpCounter } from './udp-counts.ts';
import { MAX_ANSWER } from './udp-layout.ts';

export type UdpOptions = Endpoint & {
  /** If the system supports it (Windows does not), several sockets share the packets of one port. */
  readonly reusePort?: boolean;
  /** Proxies whose datagrams begin with a PROXY header. */
  readonly proxies?: IsTrusted;
  readonly report: Report;
};

export type UdpListening = Listening & { readonly counts: () => Readonly<Record<UdpCount, number>> };

const RECEIVE_BUFFER = 4 << 20;
/** Time for pending answers at stop. */
const STOP_MS = 1000;
const LOOK_MS = 5;

/** Implements the interface of udp-mmsg.ts on any system, in the event loop. */
export async function listenUdp(options: UdpOptions, rawAnswers: Answers): Promise<UdpListening> {
  const answers = withoutThrowing(rawAnswers, options.report);
  const { counts, count } = udpCounter();
  const scratch = new Uint8Array(MAX_ANSWER);
  const sockets = await bindAll(options);

  const serve = (socket: Socket, local: Uint8Array): void => {
    /** The outcome; undefined while the answer is pending. */
    const answer = (bytes: Uint8Array, from: RemoteInfo): UdpCount | undefined => {
      const client = addressBytes(from.address.split('%')[0]!);
      if (from.port === 0 || !client) return 'malformed';
      const { port: clientPort } = from;
      const request: DnsRequest = { bytes, at: 0, length: bytes.length, transport: 'udp', client, clientPort, local };
      if (options.proxies?.(client) && !stripProxyHeader(request)) return 'malformed';

      const send = (message: Uint8Array, onSent: (error: Error | null) => void): void => {
        if (!isClosed) socket.send(message, from.port, from.address, onSent);
      };
      const length = answers.answerSync(request, scratch, 0, MAX_ANSWER);
      if (length === 0) return 'dropped';
      underWay += 1;
      if (length > 0) {
        send(scratch.slice(0, length), (error) => {
          underWay -= 1;
          count(error ? 'sendFailed' : 'answered', 1);
        });
        return undefined;
      }
      const over = (): void => {
        underWay -= 1;
      };
      answers.answerAsync(request, (late) => {
        // Errors are ignored: the query is counted as missed, and lost answers are normal for UDP.
        if (late && late.length <= MAX_ANSWER) send(late, over);
        else over();
      });
      return 'missed';
    };

    socket.on('message', (bytes, from) => {
      count('received', 1);
      const became = answer(bytes, from);
      if (became) count(became, 1);
    });
    socket.on('error', (error) => options.report('UDP socket error', error));
  };

  let isClosed = false;
  let underWay = 0;
  for (const { socket, local } of sockets) serve(socket, local);
  return {
    address: { host: options.host, port: sockets[0]!.socket.address().port },
    counts: () => readUdpCounts(counts),
    async stop() {
      for (const { socket } of sockets) socket.removeAllListeners('message');
      const end = performance.now() + STOP_MS;
      while (underWay > 0 && performance.now() < end) await sleep(LOOK_MS);
      isClosed = true;
      await Promise.all(sockets.map(({ socket }) => closed(socket)));
    },
  };
}

type Bound = { readonly socket: Socket; readonly local: Uint8Array };

/**
 * dgram does not report the destination address, and on a wildcard address the system chooses the source of answers. So
 * a wildcard also gets a socket for each address of the machine, which has precedence for packets to it.
 */
async function bindAll({ host, port, reusePort = false, report }: UdpOptions): Promise<Bound[]> {
  const first = await bind(host, port, { reusePort });
  if (!isWildcard(first.local)) return [first];
  // The first socket has shown that no other program uses the port. It is closed, and all sockets bind the port with `reuseAddr`.
  const found = first.socket.address().port;
  await closed(first.socket);
  const sockets = [await bind(host, found, { reuseAddr: true })];
  for (const ownAddress of addressesOf(host)) {
    try {
      sockets.push(await bind(ownAddress, found, { reuseAddr: true }));
    } catch (error) {
      report(`answers to ${ownAddress} may come from another address of this machine`, error);
    }
  }
  return sockets;
}

/**
 * Throws like `listen` if another program uses the port. Called before the port is shared: sockets of one user can
 * share a port without an error, also across programs.
 */
export async function mustBeFree({ host, port }: Endpoint): Promise<void> {
  await closed((await bind(host, port, {})).socket);
}

async function bind(host: string, port: number, how: { reusePort?: boolean; reuseAddr?: boolean }): Promise<Bound> {
  const local = addressBytes(host.split('%')[0]!);
  if (!local) throw new Error(`not an IP address: ${host}`);
  const isV4 = local.length === 4;
  const socket = createSocket({ type: isV4 ? 'udp4' : 'udp6', ipv6Only: !isV4 && !isWildcard(local), ...how });
  socket.bind({ port, address: host, exclusive: true });
  await once(socket, 'listening');
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER);
  } catch {
    // Optional: errors do not prevent answers.
  }
  return { socket, local };
}

const isWildcard = (address: Uint8Array): boolean => address.every((byte) => byte === 0);

function addressesOf(wildcard: string): string[] {
  const ownAddress = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.map(({ address, family, scopeid }) => ({ family, address: scopeid ? `${address}%${name}` : address })),
  );
  return ownAddress.filter(({ family }) => family === 'IPv4' || wildcard.includes(':')).map(({ address }) => address);
}

async function closed(socket: Socket): Promise<void> {
  const closing = once(socket, 'close');
  socket.close();
  await closing;
}
