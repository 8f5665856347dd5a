import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../kit/private-address.ts';
import { allowedHosts, isAllowedHost, type ServiceNames } from './allowed-hosts.ts';
import { isTrustedBy, parseTrusted } from './client-address.ts';

const MAX_KNOWN_HOSTS = 1000;

/**
 * Whether a request came over loopback with a Host header that is not a name of this service (DNS rebinding). On other interfaces the
 * network restricts access; on loopback any web page in a local browser could send requests.
 */
export function unknownHostCheck(
  settings: ServiceNames & { readonly trustedProxy: readonly string[] },
): (request: IncomingMessage) => boolean {
  const names = allowedHosts(settings, hostname());
  const isTrusted = isTrustedBy(parseTrusted(settings.trustedProxy));
  const knownHosts = new Set<string>();
  return ({ headers, socket }) => {
    const { host } = headers;
    if (host !== undefined && knownHosts.has(host)) return false;
    if (host !== undefined && isAllowedHost(host, names)) {
      if (knownHosts.size < MAX_KNOWN_HOSTS) knownHosts.add(host);
      return false;
    }
    return isLoopback(socket.localAddress ?? '') && !isTrusted(socket.remoteAddress ?? '');
  };
}

/** RFC 9112, section 3.2: a proxy and this server could each use a different one. */
export const hasTwoHosts = ({ raw: { rawHeaders } }: FastifyRequest): boolean => {
  let hosts = 0;
  // Names and values in turn. `headersDistinct` would copy all headers of every request.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};

const TWO_HOSTS = Buffer.from(JSON.stringify({ success: false, error: 'The request has more than one Host header' }));

export const twoHosts = (reply: FastifyReply): FastifyReply =>
  reply.code(400).header('content-type', 'application/json').send(TWO_HOSTS);

export const WRONG_HOST = Buffer.from(
  JSON.stringify({
    success: false,
    error:
      'Unknown host name. If clients reach this service by that name, for example behind a proxy, set public-url to it',
  }),
);

export const wrongHost = (reply: FastifyReply): FastifyReply =>
  reply.code(421).header('content-type', 'application/json').send(WRONG_HOST);
