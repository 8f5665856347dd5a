import type { LookupAddress } from 'node:dns';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { DialError } from './dial-error.ts';
import type { HostAddresses } from './host-addresses.ts';

/** Opens a connection to an upstream, or fails with a `DialError`. */
export type Dial = (signal: AbortSignal) => Promise<Socket>;

export type DialTarget = {
  readonly addresses: HostAddresses;
  readonly port: number;
  /** Whether this program listens on that address and port. */
  readonly isOwn: (address: string, port: number) => boolean;
};

// Short, so that a silent host does not delay queries longer than a query to another upstream takes.
const CONNECT_MS = 3000;
// RFC 8305, 5.
const ATTEMPT_MS = 250;

/** Plain TCP. */
export const dialTcp = (target: DialTarget): Dial =>
  dialling(target, 'connect', (addresses) => connect({ ...among(addresses), port: target.port, noDelay: true }));

/**
 * TLS with a certificate for `serverName` from an authority in `context`. Fails without a valid certificate and never falls back to plain
 * text.
 */
export function dialTls(
  target: DialTarget,
  { serverName, protocol, context }: { serverName: string; protocol: 'dot' | 'h2'; context: () => SecureContext },
): Dial {
  // Resuming a session halves the cost of the next handshake.
  let session: Buffer | undefined;
  const open = (addresses: readonly string[]): TLSSocket => {
    const socket = connectTls({
      ...among(addresses),
      port: target.port,
      secureContext: context(),
      ALPNProtocols: [protocol],
      // IP addresses are not sent as the server name (RFC 6066, 3); the certificate is checked against the address.
      ...(isIP(serverName) === 0 && { servername: serverName }),
      ...(session && { session }),
    });
    socket.setNoDelay(true);
    socket.on('session', (newSession) => {
      if (socket.authorized) session = newSession;
    });
    socket.once('error', () => {
      session = undefined;
    });
    return socket;
  };
  return dialling(target, 'secureConnect', open);
}

const dialling =
  (
    { addresses, port, isOwn }: DialTarget,
    ready: 'connect' | 'secureConnect',
    open: (addresses: readonly string[]) => Socket,
  ): Dial =>
  async (signal) => {
    const [first, ...others] = await addresses.all();
    if (isOwn(first!, port)) throw new DialError('loop', `${first} is this program itself`);
    try {
      const socket = await connected(open([first!, ...others.filter((other) => !isOwn(other, port))]), ready, signal);
      if (socket.remoteAddress !== undefined) addresses.connected(socket.remoteAddress);
      return socket;
    } catch (error) {
      addresses.failed(first!);
      throw error;
    }
  };

/**
 * Several addresses are tried one after the other, IPv6 and IPv4 in turn (RFC 8305), so that a network without one of them does not delay
 * queries. The name is not looked up: `lookup` returns the given addresses.
 */
const among = (addresses: readonly string[]) =>
  addresses.length === 1
    ? { host: addresses[0]! }
    : {
        host: 'upstream',
        lookup: (_host: string, _options: unknown, found: (error: null, all: LookupAddress[]) => void): void =>
          found(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          ),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
      };

function connected(socket: Socket, ready: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      clearTimeout(limit);
      signal.removeEventListener('abort', stop);
      socket.off('error', fail).off('close', fail);
    };
    const lose = (error: DialError): void => {
      over();
      socket.destroy();
      reject(error);
    };
    const limit = setTimeout(() => lose(new DialError('timeout', 'no connection in time')), CONNECT_MS);
    const stop = (): void => lose(new DialError('stopped', 'the connection is no longer needed'));
    const fail = (error?: unknown): void => lose(connectError(socket, error));
    // An error event without a listener would end the process.
    socket.on('error', () => {});
    socket.once('error', fail).once('close', fail);
    signal.addEventListener('abort', stop, { once: true });
    socket.once(ready, () => {
      over();
      resolve(socket);
    });
  });
}

function connectError(socket: Socket, error: unknown): DialError {
  const message = error instanceof Error ? error.message : 'the connection was closed at once';
  const isCertificate = 'authorizationError' in socket && Boolean(socket.authorizationError);
  return new DialError(isCertificate ? 'certificate' : 'unreachable', message, error);
}
