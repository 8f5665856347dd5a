import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type SecureContext, type SecureContextOptions, type Server, TLSSocket } from 'node:tls';
import { type ClientHello, readClientHello } from './client-hello.ts';
import type { ClientLimit } from './client-limit.ts';
import type { Connection, ConnectionTracker } from './connections.ts';
import { peek } from './peek.ts';
import { pairFor, type TlsPair } from './staples.ts';
import { openTcpListener, type TcpListener, type TcpListenerOptions } from './tcp-listener.ts';
import { newTicketSecret, ticketKeys } from './ticket-keys.ts';

/** Certificates and keys; `onChange` subscribes to new ones and returns a function that unsubscribes. */
export type TlsIdentity = {
  readonly current: () => TlsMaterial;
  readonly onChange: (listener: () => void) => () => void;
  /** The pairs of `current`, separately. */
  readonly pairs?: () => readonly TlsPair[];
};
/** Chains and their keys, in the same order. OpenSSL uses the pair whose key type the client supports. */
export type TlsMaterial = { readonly cert: Pem | Pem[]; readonly key: Pem | Pem[] };
type Pem = Buffer | string;

export type TlsListenerOptions = TcpListenerOptions & {
  readonly tls: TlsIdentity;
  /** Limits complete ClientHellos per network (/24, /56), because a handshake costs far more than a query. */
  readonly handshakes?: Pick<ClientLimit, 'take'>;
  /** The current keys of session tickets. Default: random keys of this listener. */
  readonly ticketKeys?: () => Buffer;
  /** The certificate for a pending TLS-ALPN-01 challenge of this domain (RFC 8737). */
  readonly challengeOf?: (domain: string) => SecureContext | undefined;
  /** The current OCSP response for the certificate with this fingerprint. */
  readonly stapleOf?: (fingerprint: string) => Uint8Array | undefined;
};

type Handshake = {
  readonly connection: Connection;
  readonly tracker: ConnectionTracker;
  readonly serverName: string | undefined;
};

const RENEW_TICKETS_MS = 60_000;

/** A TCP listener with TLS 1.2 or later and one of these protocols. There is no 0-RTT: node:tls does not support it. */
export async function openTlsListener(
  options: TlsListenerOptions,
  protocols: readonly string[],
  serve: (connection: Connection, socket: TLSSocket, serverName: string | undefined) => void,
): Promise<TcpListener> {
  const { tls, handshakes, challengeOf, stapleOf } = options;
  const currentKeys = options.ticketKeys ?? ticketKeys(newTicketSecret(Date.now()));
  const handshaking = new Map<string, Handshake>();
  const createTlsServer = (material: TlsMaterial): Server => {
    const made = createServer({ ...contextOptions(material), ALPNProtocols: [...protocols] });
    // Not logged: every public port gets invalid handshakes. The connection is closed.
    made.on('tlsClientError', (_error, socket) => socket.destroy());
    made.on('secureConnection', onSecure);
    made.setTicketKeys(currentKeys());
    return made;
  };

  const onSecure = (socket: TLSSocket): void => {
    const key = connectionKey(socket);
    const handshake = handshaking.get(key);
    handshaking.delete(key);
    if (!handshake) {
      socket.destroy();
      return;
    }
    const { connection, tracker, serverName } = handshake;
    socket.on('error', () => socket.destroy());
    if (tracker.advance(connection, 'first', performance.now())) serve(connection, socket, serverName);
  };

  const server = createTlsServer(tls.current());
  // One server per certificate: with several, OpenSSL chooses after Node has requested the OCSP response.
  const stapling = new Map<TlsPair, Server>();
  const serverFor = (hello: ClientHello): Server => {
    const pair = hello.asksForStatus && tls.pairs ? pairFor(tls.pairs(), hello) : undefined;
    if (!pair || !stapleOf?.(pair.fingerprint)) return server;
    const cached = stapling.get(pair);
    if (cached) return cached;
    const made = createTlsServer(pair);
    made.on(
      'OCSPRequest',
      (_certificate: Buffer, _issuer: Buffer, reply: (error: null, response: Buffer | null) => void) => {
        const response = stapleOf(pair.fingerprint);
        reply(null, response ? Buffer.from(response) : null);
      },
    );
    stapling.set(pair, made);
    return made;
  };

  const begin = (connection: Connection, tracker: ConnectionTracker, hello: ClientHello): void => {
    const { serverName, protocols } = hello;
    if (handshakes && handshakes.take(connection.origin.client, Date.now()) !== 'pass') connection.socket.destroy();
    else if (tracker.admit(connection) && tracker.advance(connection, 'handshake', performance.now())) {
      if (protocols.includes(ACME_TLS)) {
        answerChallenge(connection.socket, challengeOf?.(serverName ?? ''));
        return;
      }
      const key = connectionKey(connection.socket);
      handshaking.set(key, { connection, tracker, serverName });
      connection.socket.once('close', () => {
        // A new connection from the same port may already exist before this event.
        if (handshaking.get(key)?.connection === connection) handshaking.delete(key);
      });
      serverFor(hello).emit('connection', connection.socket);
    }
  };

  // The ClientHello is read before OpenSSL reads it. OpenSSL does not report the server name of a resumed TLS 1.2 session, and the name
  // identifies the device. A connection without a complete ClientHello uses no memory of OpenSSL and no handshake slot.
  const listener = await openTcpListener({ ...options, begins: 'hello' }, (connection, tracker) =>
    peek(connection.socket, readClientHello, (hello) => begin(connection, tracker, hello)),
  );

  const useTickets = (): void => {
    for (const tlsServer of [server, ...stapling.values()]) tlsServer.setTicketKeys(currentKeys());
  };
  const renewTickets = setInterval(useTickets, RENEW_TICKETS_MS).unref();
  // Open connections keep the old certificate; the next handshake uses the new one.
  const forget = tls.onChange(() => {
    server.setSecureContext(contextOptions(tls.current()));
    stapling.clear();
    useTickets();
  });
  return {
    ...listener,
    async stop() {
      forget();
      clearInterval(renewTickets);
      await listener.stop();
    },
  };
}

const ACME_TLS = 'acme-tls/1';

/** The authority only reads the certificate of the handshake, so the connection ends after it. The timeout of handshakes applies. */
function answerChallenge(socket: Socket, secureContext: SecureContext | undefined): void {
  if (!secureContext) {
    socket.destroy();
    return;
  }
  const tls = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: [ACME_TLS] });
  tls.on('error', () => tls.destroy());
  tls.on('secure', () => tls.end());
}

// TLS 1.3 and, in TLS 1.2, only suites with forward secrecy and authenticated encryption: no CBC (Lucky Thirteen), no RSA key exchange.
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

const contextOptions = ({ cert, key }: TlsMaterial): SecureContextOptions => ({
  cert,
  key,
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS,
  // The default depends on the arguments of the process, so that sessions of other nodes would be rejected.
  sessionIdContext: 'weir',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
});

/** A key that is the same for a TLS socket and the TCP socket below it. */
const connectionKey = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
