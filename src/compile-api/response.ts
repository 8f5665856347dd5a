import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, createEncoder, type Encoding, parseWeights } from '../http/encodings.ts';
import type { CompileResult, Result } from './compilations.ts';
import type { ErrorResponse } from './compile-job.ts';
import { makeBody, type Part, resultMembers } from './response-body.ts';

const EXPOSED = [
  'X-Cache',
  'X-Request-Deduplication',
  'X-Request-Id',
  'Content-Location',
  'Content-Disposition',
  'ETag',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** For pages of other origins: the response, and the headers that scripts may read. */
export const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED.join(', ') };

/** Sends an error as JSON, regardless of the Accept header. */
export function sendErrorResponse(reply: FastifyReply, { status, error, details }: ErrorResponse): FastifyReply {
  // A constant, as in the published API.
  if (status === 429 || status === 503) reply.header('retry-after', 60);
  // As bytes, because Fastify adds a charset to strings, which JSON does not have.
  const body = Buffer.from(JSON.stringify({ success: false, error, ...(details && { details }) }));
  return reply.code(status).header('content-type', 'application/json').send(body);
}

type Wanted = { readonly benchmark: boolean; readonly warnings: readonly string[] };

/** The response to one compilation: the list as text if preferred, otherwise JSON. */
export function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  compiled: CompileResult,
  wanted: Wanted,
): FastifyReply | Promise<FastifyReply> {
  if (compiled.kind === 'failed') return sendErrorResponse(reply.headers(CORS), compiled);
  const { how, result, previous } = compiled;
  reply.headers({
    ...CORS,
    ...(how === 'shared' ? { 'x-request-deduplication': 'HIT' } : { 'x-cache': how === 'cached' ? 'HIT' : 'MISS' }),
    ...(result.key !== undefined && { 'content-location': `/lists/${result.key}` }),
    vary: 'Accept, Accept-Encoding',
  });
  if (wantsText(request)) return sendList(request, reply, result);

  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (how === 'cached') return sendHit(reply, result, encoding, wanted);
  const members = resultMembers(result, { ...wanted, previous, deduplicated: how === 'shared' });
  return send(reply, 'application/json', makeBody(['{"success":true,', ...members, '}']), encoding);
}

/** Whether the client prefers text to JSON or downloads a file. */
function wantsText({ headers, query }: FastifyRequest): boolean {
  if (typeof query === 'object' && query !== null && 'download' in query) return true;
  if (headers.accept === undefined) return false;
  const weights = parseWeights(headers.accept);
  return (weights.get('text/plain') ?? 0) > (weights.get('application/json') ?? 0);
}

// Encoded bodies of small cached lists; an entry lives as long as its list is in the memory cache.
const encodedBodies = new WeakMap<Buffer, Map<string, Buffer | string>>();

function sendHit(
  reply: FastifyReply,
  result: Result,
  encoding: Encoding,
  wanted: Wanted,
): FastifyReply | Promise<FastifyReply> {
  const list = 'gzipped' in result.list ? result.list.gzipped : undefined;
  const stored = list && wanted.warnings.length === 0 && encodedBodies.get(list)?.get(kindOf(encoding, wanted));
  return stored ? sendEncoded(reply, stored, encoding) : sendNewHit(reply, result, encoding, wanted);
}

const kindOf = (encoding: Encoding, { benchmark }: Wanted): string => `${encoding} ${benchmark}`;

async function sendNewHit(
  reply: FastifyReply,
  result: Result,
  encoding: Encoding,
  wanted: Wanted,
): Promise<FastifyReply> {
  const { benchmark, warnings } = wanted;
  const list = 'gzipped' in result.list ? result.list.gzipped : undefined;
  const body = makeBody(['{"success":true,', ...resultMembers(result, { benchmark, warnings, cached: true }), '}']);
  // Not cached: bodies with warnings are rare and differ per request.
  if (!Buffer.isBuffer(body) || !list || warnings.length > 0) return send(reply, 'application/json', body, encoding);
  // A string, because it is written together with the header in one system call.
  const encoded = encoding === 'identity' ? body.toString() : await encodeWhole(body, encoding);
  const bodies = encodedBodies.get(list) ?? new Map<string, Buffer | string>();
  encodedBodies.set(list, bodies.set(kindOf(encoding, wanted), encoded));
  return sendEncoded(reply, encoded, encoding);
}

const asIs = (text: unknown): string => text as string;

function sendEncoded(reply: FastifyReply, body: Buffer | string, encoding: Encoding): FastifyReply {
  reply.header('content-type', 'application/json');
  if (typeof body === 'string') return reply.serializer(asIs).send(body);
  return (encoding === 'identity' ? reply : reply.header('content-encoding', encoding)).send(body);
}

const encodeAtOnce = {
  zstd: promisify(zstdCompress),
  br: (body: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify(gzip),
};

const encodeWhole = async (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'identity' ? body : encodeAtOnce[encoding](body);

/** Sends the list itself as text. */
export async function sendList(request: FastifyRequest, reply: FastifyReply, result: Result): Promise<FastifyReply> {
  if (typeof request.query === 'object' && request.query !== null && 'download' in request.query)
    reply.header('content-disposition', attachment(result.name));
  reply.header('x-content-type-options', 'nosniff');
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const type = 'text/plain; charset=utf-8';
  if ('gzipped' in result.list && acceptsGzip(request)) {
    return reply.header('content-encoding', 'gzip').header('content-type', type).send(result.list.gzipped);
  }
  return send(reply, type, makeBody([{ text: result.list }]), encoding);
}

/** RFC 6266: an ASCII name for old clients, and the name of the list for all others. */
function attachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'list';
  const encoded = encodeURIComponent(
    `${name
      .replace(/[/\\\0]/g, '-')
      .toWellFormed()
      .slice(0, 100)}.txt`,
  ).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain.slice(0, 100)}.txt"; filename*=UTF-8''${encoded}`;
}

const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  (parseWeights(headers['accept-encoding'] ?? '').get('gzip') ?? 0) > 0;

const WORTH_ENCODING_BYTES = 1024;

async function send(
  reply: FastifyReply,
  type: string,
  body: Buffer | Readable,
  encoding: Encoding,
): Promise<FastifyReply> {
  reply.header('content-type', type);
  if (encoding === 'identity' || (Buffer.isBuffer(body) && body.length < WORTH_ENCODING_BYTES)) return reply.send(body);
  reply.header('content-encoding', encoding);
  if (Buffer.isBuffer(body)) return reply.send(await encodeWhole(body, encoding));
  const encoder = createEncoder(encoding);
  body.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => body.destroy());
  return reply.send(body.pipe(encoder));
}

/** Sends the parts of a response that is not a single compilation. */
export const sendParts = (
  request: FastifyRequest,
  reply: FastifyReply,
  parts: readonly Part[],
): Promise<FastifyReply> =>
  send(
    reply.header('vary', 'Accept-Encoding'),
    'application/json',
    makeBody(parts),
    chooseEncoding(request.headers['accept-encoding']),
  );
