import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, createEncoder, type Encoding, parseWeights } from '../http/encodings.ts';
import type { Delivery, Result } from './compilations.ts';
import type { Refusal } from './compile-job.ts';
import { makeBody, type Part, resultMembers } from './response-body.ts';

export const CORS = { 'access-control-allow-origin': '*' };

/** Says why not, as JSON whatever was asked for. */
export function sendRefusal(reply: FastifyReply, { status, error, details }: Refusal): FastifyReply {
  // As published: a constant, whatever is left of the window.
  if (status === 429 || status === 503) reply.header('retry-after', 60);
  // As bytes: to a text Fastify would add a charset, which JSON has no use for.
  const body = Buffer.from(JSON.stringify({ success: false, error, ...(details && { details }) }));
  return reply.code(status).header('content-type', 'application/json').send(body);
}

type Wanted = { readonly benchmark: boolean };

/** The answer to one compilation: the list itself for those who want text, else JSON with the list in it. */
export async function sendDelivery(
  request: FastifyRequest,
  reply: FastifyReply,
  delivery: Delivery,
  { benchmark }: Wanted,
): Promise<FastifyReply> {
  if (delivery.kind === 'failed') return sendRefusal(reply.headers(CORS), delivery);
  const { how, result, previous } = delivery;
  reply.headers({
    ...CORS,
    ...(how === 'shared' ? { 'x-request-deduplication': 'HIT' } : { 'x-cache': how === 'cached' ? 'HIT' : 'MISS' }),
    ...(result.key !== undefined && { 'content-location': `/lists/${result.key}` }),
    vary: 'Accept, Accept-Encoding',
  });
  if (wantsText(request)) return sendList(request, reply, result);

  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (how === 'cached') return sendHit(reply, result, encoding, benchmark);
  const members = resultMembers(result, { benchmark, previous, deduplicated: how === 'shared' });
  return send(reply, 'application/json', makeBody(['{"success":true,', ...members, '}']), encoding);
}

/** Whoever prefers text to JSON, or wants a file. */
function wantsText({ headers, query }: FastifyRequest): boolean {
  if (typeof query === 'object' && query !== null && 'download' in query) return true;
  const weights = parseWeights(headers.accept ?? '');
  return (weights.get('text/plain') ?? 0) > (weights.get('application/json') ?? 0);
}

// Bodies of the hits that are asked for most, ready to be sent, for as long as their lists are kept in memory.
const readyBodies = new WeakMap<Buffer, Map<string, Buffer | string>>();

async function sendHit(
  reply: FastifyReply,
  result: Result,
  encoding: Encoding,
  benchmark: boolean,
): Promise<FastifyReply> {
  const kept = 'gzipped' in result.list ? result.list.gzipped : undefined;
  const kind = `${encoding} ${benchmark}`;
  const ready = kept && readyBodies.get(kept)?.get(kind);
  if (ready) return sendEncoded(reply, ready, encoding);
  const body = makeBody(['{"success":true,', ...resultMembers(result, { benchmark, cached: true }), '}']);
  if (!Buffer.isBuffer(body) || !kept) return send(reply, 'application/json', body, encoding);
  // As a text it is written together with the header: one call to the system instead of two parts.
  const encoded = encoding === 'identity' ? body.toString() : await encodeWhole(body, encoding);
  const bodies = readyBodies.get(kept) ?? new Map<string, Buffer | string>();
  readyBodies.set(kept, bodies.set(kind, encoded));
  return sendEncoded(reply, encoded, encoding);
}

const asItIs = (text: unknown): string => text as string;

function sendEncoded(reply: FastifyReply, body: Buffer | string, encoding: Encoding): FastifyReply {
  reply.header('content-type', 'application/json');
  if (typeof body === 'string') return reply.serializer(asItIs).send(body);
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

/** The list itself, for whoever wants it as a file. */
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

/** RFC 6266: for old clients a name that needs no care, for all others the name of the list. */
function attachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'list';
  const whole = encodeURIComponent(
    `${name
      .replace(/[/\\\0]/g, '-')
      .toWellFormed()
      .slice(0, 100)}.txt`,
  ).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain.slice(0, 100)}.txt"; filename*=UTF-8''${whole}`;
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

/** Parts of an answer that are not of one compilation. */
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
