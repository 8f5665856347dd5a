import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity';

// Fast compression levels, because responses are compressed per request. The order breaks ties.
const encoders = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 4 }),
} as const satisfies Record<Exclude<Encoding, 'identity'>, () => Transform>;

export const createEncoder = (encoding: keyof typeof encoders): Transform => encoders[encoding]();

const names = Object.keys(encoders) as (keyof typeof encoders)[];

/** The supported encoding that the client prefers (RFC 9110 section 12.5.3). */
export function chooseEncoding(accepted: string | undefined): Encoding {
  if (accepted === undefined || accepted === '') return 'identity';
  const weights = parseWeights(accepted);
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  let best: Encoding = 'identity';
  // Encodings that are listed take precedence over unlisted ones.
  let bestWeight = weights.get('identity') ?? 0;
  for (const name of names) {
    const weight = weightOf(name);
    if (weight === 0 || weight < bestWeight || (weight === bestWeight && best !== 'identity')) continue;
    best = name;
    bestWeight = weight;
  }
  return best;
}

/** Weights of the values in such a header. */
export function parseWeights(field: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    if (name === '') continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const value = weight === undefined ? 1 : Number(weight);
    weights.set(name, Number.isFinite(value) ? value : 0);
  }
  return weights;
}
