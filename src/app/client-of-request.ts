import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { clientAddress, isTrustedBy, limitKey, parseTrusted } from '../http/client-address.ts';
import { parseIp } from '../kit/ip-address.ts';
import { isPrivateAddress } from '../kit/private-address.ts';
import type { Settings } from '../settings/settings.ts';

/** The client address of a request. X-Forwarded-For is used only from trusted proxies. */
export function addressBy({ trustedProxy }: Settings): (request: FastifyRequest) => string {
  const trusted = parseTrusted(trustedProxy);
  return ({ raw }) =>
    clientAddress({
      socketAddress: raw.socket.remoteAddress ?? '',
      forwardedFor: raw.headersDistinct['x-forwarded-for'],
      trusted,
    });
}

/** Who may compile without credentials, and who may use the compiler page without signing in. */
export function anonymousCompilingBy(settings: Settings) {
  const addressOf = addressBy(settings);
  const isIn = isTrustedBy(parseTrusted(settings.compileClients));
  const { compilePage } = settings;
  const mayCompile = (request: FastifyRequest): boolean => compilePage === 'public' || isIn(addressOf(request));
  return {
    mayCompile,
    mayUsePage: (request: FastifyRequest): boolean =>
      compilePage === 'public' || (compilePage === 'private' && isPrivate(addressOf(request)) && mayCompile(request)),
  };
}

function isPrivate(address: string): boolean {
  const bytes = parseIp(address)?.bytes;
  return bytes !== undefined && isPrivateAddress(Uint8Array.from(bytes), 0, bytes.length);
}

/** The client for rate limits: an address or a network. */
export function clientBy({ trustedProxy }: Settings): (request: FastifyRequest) => string {
  const trusted = parseTrusted(trustedProxy);
  const keyOf = (socketAddress: string, forwardedFor?: readonly string[]): string =>
    limitKey(clientAddress({ socketAddress, forwardedFor, trusted }));
  if (trustedProxy.length > 0)
    return ({ raw }) => keyOf(raw.socket.remoteAddress ?? '', raw.headersDistinct['x-forwarded-for']);
  // Without trusted proxies all requests of a connection have the same client.
  const ofSocket = new WeakMap<Socket, string>();
  return ({ raw: { socket } }) => {
    const key = ofSocket.get(socket) ?? keyOf(socket.remoteAddress ?? '');
    ofSocket.set(socket, key);
    return key;
  };
}
