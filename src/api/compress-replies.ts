import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { chooseEncoding, type Encoding } from '../http/encodings.ts';

// Smaller ones fit into one packet.
const MIN_BYTES = 1400;

const compressors: Readonly<Record<Exclude<Encoding, 'identity'>, (text: string | Buffer) => Promise<Buffer>>> = {
  zstd: (text) => zstd(text, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => gzipped(text, { level: 4 }),
};
const zstd = promisify(zstdCompress);
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Compresses JSON replies to reads, in a thread. Replies to changes may contain a new secret and text of the request, and their compressed
 * length would reveal the secret (BREACH).
 */
export const compressReplies = (scope: FastifyInstance): void =>
  void scope.addHook('onSend', compressorOf('application/json'));

/** A hook that compresses replies of this type to GET requests. */
export function compressorOf(type: string): onSendHookHandler {
  return (request, reply, payload: unknown, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (request.method !== 'GET' || !isText || payload.length < MIN_BYTES) return done(null, payload);
    if (reply.getHeader('content-type') !== type) return done(null, payload);
    reply.header('vary', 'accept-encoding');
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === 'identity') return done(null, payload);
    void compressors[encoding](payload).then(
      (compressed) => {
        reply.header('content-encoding', encoding).removeHeader('content-length');
        done(null, compressed);
      },
      (error: Error) => done(error),
    );
  };
}
