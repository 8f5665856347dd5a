import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../settings/settings.ts';
import { isOwnHost, ownNames } from './allowed-hosts.ts';
import { isTrustedBy, parseTrusted } from './client-address.ts';

const MAX_KNOWN_HOSTS = 1000;

/**
 * Whether a request has come over this machine's own loopback by a name that is none of ours. Elsewhere the network decides
 * who may ask; here a page of anybody could, in the browser of whoever sits at this machine.
 */
export function strangeHostBy(settings: Settings): (request: IncomingMessage) => boolean {
  const names = ownNames(settings, hostname());
  const isTrusted = isTrustedBy(parseTrusted(settings.trustedProxy));
  const known = new Set<string>();
  return ({ headers, socket }) => {
    const { host } = headers;
    if (host !== undefined && known.has(host)) return false;
    if (host !== undefined && isOwnHost(host, names)) {
      if (known.size < MAX_KNOWN_HOSTS) known.add(host);
      return false;
    }
    return isLoopback(socket.localAddress ?? '') && !isTrusted(socket.remoteAddress ?? '');
  };
}

/** RFC 9112, section 3.2: a proxy and this server could each follow another one. */
export const hasTwoHosts = ({ raw }: FastifyRequest): boolean => (raw.headersDistinct['host']?.length ?? 0) > 1;

const TWO_HOSTS = Buffer.from(JSON.stringify({ success: false, error: 'The request has more than one Host header' }));

export const twoHosts = (reply: FastifyReply): FastifyReply =>
  reply.code(400).header('content-type', 'application/json').send(TWO_HOSTS);

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

export const WRONG_HOST = Buffer.from(
  JSON.stringify({
    success: false,
    error:
      'The service does not go by the host name that it was asked by. If people shall reach it by that name, as behind a proxy, set public-url to it',
  }),
);

export const wrongHost = (reply: FastifyReply): FastifyReply =>
  reply.code(421).header('content-type', 'application/json').send(WRONG_HOST);
