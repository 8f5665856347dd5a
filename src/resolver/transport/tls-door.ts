import { constants, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { readClientHello } from './client-hello.ts';
import type { ClientLimit } from './client-limit.ts';
import { type Door, type DoorOptions, openDoor } from './door.ts';
import { peek } from './peek.ts';
import type { Visit } from './visits.ts';

/** What a server shows of itself; `onChange` gives new material, and a way to hear no more of it. */
export type TlsIdentity = {
  readonly current: () => TlsMaterial;
  readonly onChange: (listener: () => void) => () => void;
};
export type TlsMaterial = { readonly cert: Buffer | string; readonly key: Buffer | string };

export type TlsDoorOptions = DoorOptions & {
  readonly tls: TlsIdentity;
  /** Handshakes cost far more than queries: so many for each block of clients. */
  readonly handshakes?: ClientLimit;
  readonly maxHandshakes?: number;
};

type Handshake = { readonly visit: Visit; readonly serverName: string | undefined };

const HANDSHAKES_IN_PROGRESS = 200;
const TICKET_KEYS_MS = 12 * 3600_000;

/** The door, and behind it TLS 1.2 or later with one of these protocols. There is no 0-RTT: node:tls has none. */
export async function openTlsDoor(
  options: TlsDoorOptions,
  protocols: readonly string[],
  enter: (visit: Visit, socket: TLSSocket, serverName: string | undefined) => void,
): Promise<Door> {
  const { tls, handshakes, maxHandshakes = HANDSHAKES_IN_PROGRESS } = options;
  const handshaking = new Map<string, Handshake>();
  const server = createServer({ ...contextOptions(tls.current()), ALPNProtocols: [...protocols] });

  server.on('secureConnection', (socket) => {
    const key = connectionKey(socket);
    const handshake = handshaking.get(key);
    handshaking.delete(key);
    if (!handshake) {
      socket.destroy();
      return;
    }
    const { visit, serverName } = handshake;
    socket.on('error', () => socket.destroy());
    visit.doing = 'first';
    visit.since = performance.now();
    enter(visit, socket, serverName);
  });
  // Not worth a word: the internet knocks at every port. The connection ends, which is all the answer that it gets.
  server.on('tlsClientError', (_error, socket) => socket.destroy());

  const door = await openDoor(options, (visit) => {
    const isTooMuch = handshakes && handshakes.take(visit.origin.client, Date.now()) !== 'pass';
    if (isTooMuch || handshaking.size >= maxHandshakes) {
      visit.socket.destroy();
      return;
    }
    const key = connectionKey(visit.socket);
    visit.doing = 'handshake';
    handshaking.set(key, { visit, serverName: undefined });
    visit.socket.once('close', () => handshaking.delete(key));
    // OpenSSL does not tell the name of a TLS 1.2 session that is resumed, and it says whose device this is. Besides, who
    // never sends a hello gets no memory of OpenSSL.
    peek(visit.socket, readClientHello, (serverName) => {
      handshaking.set(key, { visit, serverName });
      server.emit('connection', visit.socket);
    });
  });

  const renewTickets = setInterval(() => server.setTicketKeys(randomBytes(48)), TICKET_KEYS_MS).unref();
  // Connections that stand keep what they have; the next handshake shows the new certificate.
  const forget = tls.onChange(() => server.setSecureContext(contextOptions(tls.current())));
  return {
    ...door,
    async stop() {
      forget();
      clearInterval(renewTickets);
      await door.stop();
    },
  };
}

const contextOptions = (material: TlsMaterial): SecureContextOptions => ({
  ...material,
  minVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
});

/** The socket under TLS and the one above it have this in common. */
const connectionKey = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
