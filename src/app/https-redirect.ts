import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTrustedBy, parseTrusted } from '../http/client-address.ts';
import { isLoopback } from '../kit/private-address.ts';
import type { Settings } from '../settings/settings.ts';

const HTTPS_PORT = 443;
/** One year (RFC 6797). Browsers ignore the header if they do not trust the certificate. */
const STRICT_TRANSPORT = 'max-age=31536000';
/** Not redirected: health checks, and challenges of certificate authorities. */
const PLAIN = /^\/(?:health|\.well-known\/acme-challenge)(?:\/|$|\?)/;

type RedirectSettings = Pick<Settings, 'httpsRedirect' | 'publicUrl' | 'trustedProxy'>;

/**
 * Redirects plain HTTP to HTTPS. Not redirected: programs on this machine, for which no certificate is valid, and trusted proxies, which
 * may have terminated TLS.
 */
export function redirectToHttps(
  server: FastifyInstance,
  { httpsRedirect, publicUrl, trustedProxy }: RedirectSettings,
  httpsPort: () => number | undefined,
): void {
  if (httpsRedirect === 'off') return;
  const isTrusted = isTrustedBy(parseTrusted(trustedProxy));
  const origin = publicUrl?.startsWith('https:') ? new URL(publicUrl).origin : undefined;

  const target = ({ raw, url }: FastifyRequest): string | undefined => {
    const { remoteAddress = '', localAddress = '' } = raw.socket;
    if (isLoopback(localAddress) || isTrusted(remoteAddress) || PLAIN.test(url)) return undefined;
    const port = httpsPort();
    const host = hostIn(raw.headers.host ?? '');
    if (port === undefined || host === undefined || !url.startsWith('/')) return undefined;
    return `${origin ?? `https://${host}${port === HTTPS_PORT ? '' : `:${port}`}`}${url}`;
  };

  server.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https') {
      reply.header('strict-transport-security', STRICT_TRANSPORT);
      done();
      return;
    }
    const location = target(request);
    if (location === undefined) done();
    else reply.code(308).header('location', location).send();
  });
}

/** The host without its port; undefined for invalid hosts, which must not be copied into a header. */
const hostIn = (host: string): string | undefined => /^(\[[\da-f:]+\]|[\w.-]+)(?::\d*)?$/i.exec(host)?.[1];
