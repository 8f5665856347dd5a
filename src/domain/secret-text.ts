import { toBase64Url } from './base-encoding.ts';

/** Prefixes of issued secrets, so that secret scanners and users recognise them. */
const prefixes = {
  'access token': 'weir_at_',
  'refresh token': 'weir_rt_',
  'api key': 'weir_key_',
  'node key': 'weir_node_',
  invitation: 'weir_inv_',
  'authorization code': 'weir_code_',
} as const;

export type SecretKind = keyof typeof prefixes;

export const RANDOM_BYTES_OF_SECRET = 32;
const RANDOM_LETTERS = 43;
const CHECKSUM_LETTERS = 6;
const HINT_LETTERS = 4;

const kinds = Object.entries(prefixes) as readonly (readonly [SecretKind, string])[];

export function makeSecret(kind: SecretKind, random: Uint8Array): string {
  if (random.length !== RANDOM_BYTES_OF_SECRET) throw new RangeError(`a secret needs ${RANDOM_BYTES_OF_SECRET} bytes`);
  const body = prefixes[kind] + toBase64Url(random);
  return body + checksum(body);
}

/** The kind of a secret; undefined if its format is invalid, which saves a database lookup. */
export function secretKind(text: string): SecretKind | undefined {
  const found = kinds.find(([, prefix]) => text.startsWith(prefix));
  if (!found) return undefined;
  const [kind, prefix] = found;
  const isWhole = text.length === prefix.length + RANDOM_LETTERS + CHECKSUM_LETTERS;
  return isWhole && checksum(text.slice(0, -CHECKSUM_LETTERS)) === text.slice(-CHECKSUM_LETTERS) ? kind : undefined;
}

/** The first characters of a secret, shown to identify it. */
export const hintOf = (kind: SecretKind, secret: string): string =>
  secret.slice(0, prefixes[kind].length + HINT_LETTERS);

/** Checksum that detects typing errors; not a security measure. */
function checksum(text: string): string {
  const sum = crc32(text);
  return toBase64Url(Uint8Array.of(sum >>> 24, sum >>> 16, sum >>> 8, sum));
}

const POLYNOMIAL = 0xedb8_8320;

function crc32(text: string): number {
  let sum = 0xffff_ffff;
  for (let at = 0; at < text.length; at++) {
    sum ^= text.charCodeAt(at) & 0xff;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? POLYNOMIAL : 0);
  }
  return ~sum >>> 0;
}
