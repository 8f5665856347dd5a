import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Fail } from './download-error.ts';

const options = { chunkSize: 64 * 1024 };

const decoders = {
  gzip: () => createGunzip(options),
  'x-gzip': () => createGunzip(options),
  br: () => createBrotliDecompress(options),
  // The name means the zlib format (RFC 9110, 8.4.1.2), whose first byte ends in 8; many servers send raw deflate under
  // this name.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options)),
} as const satisfies Record<string, (firstByte: number) => Transform & { bytesWritten: number }>;

export type Coding = keyof typeof decoders;

/**
 * The single coding of a Content-Encoding field. Several codings are rejected, because they would multiply a decompression bomb.
 */
export function parseCoding(field: string | undefined): Coding | 'none' | 'unsupported' {
  const named = (field ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const [only] = named;
  if (only === undefined) return 'none';
  return named.length === 1 && isCoding(only) ? only : 'unsupported';
}

const isCoding = (name: string): name is Coding => Object.hasOwn(decoders, name);

/** Decodes the whole body or fails; never returns a truncated one. */
export async function* decodeBody(wire: AsyncIterable<Buffer>, coding: Coding, fail: Fail): AsyncGenerator<Buffer> {
  const chunks = wire[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) throw fail({ kind: 'truncated' });

  let received = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for (let next = first; !next.done; next = await chunks.next()) {
      received += next.value.length;
      yield next.value;
    }
  }

  const decoder = decoders[coding](first.value[0] ?? 0);
  // Ignores errors here, because the decoder, which is read below, reports those of both streams.
  pipeline(counted(), decoder, () => {});
  try {
    yield* decoder;
  } catch (error) {
    throw isDecodingError(error)
      ? fail({ kind: error.code === ENDS_EARLY ? 'truncated' : 'bad encoding' }, error)
      : error;
  }
  // Node stops silently at bytes that it treats as padding, and a following gzip member would be lost.
  if (decoder.bytesWritten !== received) throw fail({ kind: 'bad encoding' });
}

const ENDS_EARLY = 'Z_BUF_ERROR';

/** Only errors of the decoder have an errno: network errors are DownloadErrors, the rest are bugs. */
const isDecodingError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error;
