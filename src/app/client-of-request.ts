import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { clientAddress, isTrustedBy, limitKey, parseTrusted } from '../http/client-address.ts';
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

/** Whether a request comes from a network that may compile without credentials. */
export function isCompileClientBy(settings: Settings): (request: FastifyRequest) => boolean {
  const isIn = isTrustedBy(parseTrusted(settings.compileClients));
  const addressOf = addressBy(settings);
  return (request) => isIn(addressOf(request));
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
