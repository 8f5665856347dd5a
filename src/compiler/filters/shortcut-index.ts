const GRAM = 4;
const FILTER_BITS = 20;
const encoder = new TextEncoder();

const fold = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) fold[byte] = byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;

/**
 * Finds candidate literals in a line in one pass, independent of their number: each literal is indexed by four of its
 * bytes (ASCII case-insensitive), and only lines that contain those are compared.
 */
export type GramIndex = { readonly filter: Uint32Array; readonly items: Map<number, number[]> };

export const createGramIndex = (): GramIndex => ({
  filter: new Uint32Array(2 ** FILTER_BITS / 32),
  items: new Map(),
});

/** Adds a literal with its id; returns false if it is shorter than four bytes. */
export function addLiteral(index: GramIndex, literal: string, item: number): boolean {
  const bytes = encoder.encode(literal);
  if (bytes.length < GRAM) return false;
  const gram = rarestGram(index, bytes);
  const bit = filterBit(gram);
  index.filter[bit >>> 5]! |= 1 << (bit & 31);
  const sharing = index.items.get(gram);
  if (sharing) sharing.push(item);
  else index.items.set(gram, [item]);
  return true;
}

/** Calls `visit` for each candidate literal, possibly more than once. */
export function visitCandidates(
  { filter, items }: GramIndex,
  bytes: Uint8Array,
  start: number,
  end: number,
  visit: (item: number) => void,
): void {
  let gram = 0;
  for (let at = start; at < end; at++) {
    gram = (gram << 8) | fold[bytes[at]!]!;
    if (at - start < GRAM - 1) continue;
    const bit = filterBit(gram);
    if ((filter[bit >>> 5]! & (1 << (bit & 31))) !== 0) items.get(gram)?.forEach(visit);
  }
}

const filterBit = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - FILTER_BITS);

/** The least used four-byte key of the literal; on a tie the middle one, where names differ most. */
function rarestGram({ items }: GramIndex, bytes: Uint8Array): number {
  let best = 0;
  let bestScore = Number.POSITIVE_INFINITY;
  for (let at = 0; at + GRAM <= bytes.length; at++) {
    let gram = 0;
    for (let byte = at; byte < at + GRAM; byte++) gram = (gram << 8) | fold[bytes[byte]!]!;
    const fromMiddle = Math.abs(at + GRAM / 2 - bytes.length / 2) / bytes.length;
    const score = (items.get(gram)?.length ?? 0) + fromMiddle;
    if (score >= bestScore) continue;
    best = gram;
    bestScore = score;
  }
  return best;
}
