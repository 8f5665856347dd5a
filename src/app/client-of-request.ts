import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { clientAddress, isTrustedBy, limitKey, parseTrusted } from '../http/client-address.ts';
import { parseIp } from '../kit/ip-address.ts';
import { isPrivateAddress } from '../kit/private-address.ts';
import type { Settings } from '../settings/settings.ts';

/**
 * Computes a property of the client address of a request. X-Forwarded-For is used only from trusted proxies; otherwise all requests of a
 * connection have the same client, and the result is cached.
 */
function ofClient<T>({ trustedProxy }: Pick<Settings, 'trustedProxy'>, of: (address: string) => T) {
  const trusted = parseTrusted(trustedProxy);
  const compute = (socketAddress: string, forwardedFor?: readonly string[]): T =>
    of(clientAddress({ socketAddress, forwardedFor, trusted }));
  if (trustedProxy.length > 0)
    return ({ raw }: FastifyRequest): T =>
      compute(raw.socket.remoteAddress ?? '', raw.headersDistinct['x-forwarded-for']);
  const ofSocket = new WeakMap<Socket, { readonly value: T }>();
  return ({ raw: { socket } }: FastifyRequest): T => {
    const cached = ofSocket.get(socket) ?? { value: compute(socket.remoteAddress ?? '') };
    ofSocket.set(socket, cached);
    return cached.value;
  };
}

/** The client address of a request. */
export const addressBy = (settings: Settings): ((request: FastifyRequest) => string) =>
  ofClient(settings, (address) => address);

/** The client for rate limits: an address or a network. */
export const clientBy = (settings: Settings): ((request: FastifyRequest) => string) => ofClient(settings, limitKey);

/** Clients that may compile without credentials, and those that may use the compiler page without signing in. */
export function anonymousCompilingBy(settings: Settings) {
  const isIn = isTrustedBy(parseTrusted(settings.compileClients));
  const { compilePage } = settings;
  const mayCompile = (address: string): boolean => compilePage === 'public' || isIn(address);
  return {
    mayCompile: ofClient(settings, mayCompile),
    mayUsePage: ofClient(
      settings,
      (address) => compilePage === 'public' || (compilePage === 'private' && isPrivate(address) && mayCompile(address)),
    ),
  };
}

function isPrivate(address: string): boolean {
  const bytes = parseIp(address)?.bytes;
  return bytes !== undefined && isPrivateAddress(Uint8Array.from(bytes), 0, bytes.length);
}
