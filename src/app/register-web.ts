import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compressorOf } from '../api/compress-replies.ts';
import { BLOCKED_TEST_DOMAIN } from '../domain/blocked-test-domain.ts';
import { startOnce } from '../kit/single-flight.ts';
import { openWebFiles, type WebFiles } from './web-files.ts';
import { webPaths } from './web-paths.ts';

const NOT_BUILT = `The web interface has not been built.

Run "npm run build" in the program folder and reload this page. The API is available: /api/openapi.json, /swagger/openapi.json.
`;

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Components and the editor add styles with the nonce of this response.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    // The page "Network" checks blocking with a domain that filter lists block.
    `connect-src 'self' http://*.${BLOCKED_TEST_DOMAIN} https://*.${BLOCKED_TEST_DOMAIN}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

// The style sheet of Swagger UI contains icons as data URLs.
const API_REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** The pages of the API reference, each with the OpenAPI document that it shows. */
const apiReferences: Readonly<Record<string, string>> = {
  '/swagger': '/swagger/openapi.json',
  '/api/docs': '/api/openapi.json',
};

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** The origins for which browsers accept a cross-origin opener policy; for others they report an error on every page. */
const isTrustworthy = ({ protocol, hostname }: FastifyRequest, publicUrl: string): boolean =>
  protocol === 'https' ||
  publicUrl.startsWith('https:') ||
  /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** Serves the web interface: one document for all its paths, and its assets. */
export function registerWeb(server: FastifyInstance, publicUrl: () => string, open = openWebFiles): void {
  // Loaded with the first request, to start faster.
  // The interface may be built while the service runs.
  const { run: files } = startOnce(open, (found) => found !== undefined);
  const headers = (request: FastifyRequest): Record<string, string> => ({
    ...always,
    ...(isTrustworthy(request, publicUrl()) && { 'cross-origin-opener-policy': 'same-origin' }),
    ...(publicUrl().startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  });

  const onSend = compressorOf(HTML);
  for (const url of webPaths)
    server.get(url, { onSend }, async (request, reply) => sendDocument(reply.headers(headers(request)), await files()));

  for (const [url, documentPath] of Object.entries(apiReferences))
    server.get(url, async (request, reply) => {
      const page = (await files())?.apiReference(documentPath);
      return sendPage(reply.headers(headers(request)), page, API_REFERENCE_POLICY);
    });

  // Browsers get a page for unknown addresses, in the language of the user.
  server.get('/*', { onSend }, async (request, reply) => {
    const isPage = (request.headers.accept ?? '').includes('text/html') && !/^\/(?:o?api|assets)\//.test(request.url);
    return isPage ? sendDocument(reply.code(404).headers(headers(request)), await files()) : reply.callNotFound();
  });

  // Served from the root, because a service worker controls only pages below its own path.
  server.get('/service-worker.js', async (request, reply) => {
    const found = await files();
    if (!found) return reply.callNotFound();
    return reply
      .headers({ ...headers(request), 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' })
      .header('content-security-policy', SERVICE_WORKER_POLICY)
      .send(found.serviceWorker);
  });

  server.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const file = await (await files())?.find(request.params.name, request.headers['accept-encoding']);
    if (!file) return reply.callNotFound();
    return reply
      .headers({
        ...headers(request),
        'content-type': file.type,
        // File names contain a content hash.
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(file.encoding && { 'content-encoding': file.encoding }),
      })
      .send(file.bytes);
  });
}

function sendDocument(reply: FastifyReply, files: WebFiles | undefined): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return sendPage(reply, files?.document.join(nonce), policyWith(nonce));
}

/** Instructions if the web interface was not built. */
function sendPage(reply: FastifyReply, page: string | undefined, policy: string): FastifyReply {
  reply.header('cache-control', 'no-cache');
  if (page === undefined) return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT);
  return reply.headers({ 'content-type': HTML, 'content-security-policy': policy }).send(page);
}
