import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Fail } from './download-error.ts';

const options = { chunkSize: 64 * 1024 };

const decoders = {
  gzip: () => createGunzip(options),
  'x-gzip': () => createGunzip(options),
  br: () => createBrotliDecompress(options),
  // The name means the zlib format (RFC 9110, 8.4.1.2), which begins with a byte that ends in 8;
  // servers that send the bare format under this name are common enough to be understood.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options)),
} as const satisfies Record<string, (firstByte: number) => Transform & { bytesWritten: number }>;

export type Coding = keyof typeof decoders;

/** The one coding a Content-Encoding field names. More than one is a way to multiply a bomb, and nobody's need. */
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

/** Decodes all of the body or fails: never the beginning alone. */
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
  // Faults of either end come out of the decoder, which is read below; the callback would only tell them again.
  pipeline(counted(), decoder, () => {});
  try {
    yield* decoder;
  } catch (error) {
    throw isDecodingError(error)
      ? fail({ kind: error.code === ENDS_EARLY ? 'truncated' : 'bad encoding' }, error)
      : error;
  }
  // Node stops without a word at what it takes for padding, and a second gzip member behind it would be lost.
  if (decoder.bytesWritten !== received) throw fail({ kind: 'bad encoding' });
}

const ENDS_EARLY = 'Z_BUF_ERROR';

/** Only the decoder's own errors have a number: those of the wire are DownloadErrors by now, or somebody's mistake. */
const isDecodingError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error;
