import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity';

// Made while somebody waits: each at a level where it is quick. In this order where a client likes several the same.
const encoders = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 4 }),
} as const satisfies Record<Exclude<Encoding, 'identity'>, () => Transform>;

export const createEncoder = (encoding: keyof typeof encoders): Transform => encoders[encoding]();

const names = Object.keys(encoders) as (keyof typeof encoders)[];

/** The encoding that a client likes best (RFC 9110, 12.5.3) of those we have. */
export function chooseEncoding(accepted: string | undefined): Encoding {
  if (accepted === undefined || accepted === '') return 'identity';
  const weights = parseWeights(accepted);
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  let best: Encoding = 'identity';
  // What is not named at all is as welcome as nothing else: anything that is named comes before it.
  let bestWeight = weights.get('identity') ?? 0;
  for (const name of names) {
    const weight = weightOf(name);
    if (weight === 0 || weight < bestWeight || (weight === bestWeight && best !== 'identity')) continue;
    best = name;
    bestWeight = weight;
  }
  return best;
}

/** How much a client likes each of the things it names in such a field. */
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
