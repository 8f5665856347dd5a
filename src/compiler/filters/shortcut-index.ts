const SHORTCUT_LENGTH = 4;
const FILTER_BITS = 20;
const encoder = new TextEncoder();

const fold = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) fold[byte] = byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;

/**
 * Finds candidate literals in a line in one pass, independent of their number: each literal is indexed by four of its
 * bytes (ASCII case-insensitive), and only lines that contain those are compared.
 */
export type ShortcutIndex = { readonly filter: Uint32Array; readonly items: Map<number, number[]> };

export const createShortcutIndex = (): ShortcutIndex => ({
  filter: new Uint32Array(2 ** FILTER_BITS / 32),
  items: new Map(),
});

/** Adds a literal with its id; returns false if it is shorter than four bytes. */
export function addLiteral(index: ShortcutIndex, literal: string, item: number): boolean {
  const bytes = encoder.encode(literal);
  if (bytes.length < SHORTCUT_LENGTH) return false;
  const shortcut = rarestShortcut(index, bytes);
  const bit = filterBit(shortcut);
  index.filter[bit >>> 5]! |= 1 << (bit & 31);
  const sharing = index.items.get(shortcut);
  if (sharing) sharing.push(item);
  else index.items.set(shortcut, [item]);
  return true;
}

/** Calls `visit` for each candidate literal, possibly more than once. */
export function visitCandidates(
  { filter, items }: ShortcutIndex,
  bytes: Uint8Array,
  start: number,
  end: number,
  visit: (item: number) => void,
): void {
  let shortcut = 0;
  for (let at = start; at < end; at++) {
    shortcut = (shortcut << 8) | fold[bytes[at]!]!;
    if (at - start < SHORTCUT_LENGTH - 1) continue;
    const bit = filterBit(shortcut);
    if ((filter[bit >>> 5]! & (1 << (bit & 31))) !== 0) items.get(shortcut)?.forEach(visit);
  }
}

const filterBit = (shortcut: number): number => Math.imul(shortcut, 0x9e3779b1) >>> (32 - FILTER_BITS);

/** The least used four-byte key of the literal; on a tie the middle one, where names differ most. */
function rarestShortcut({ items }: ShortcutIndex, bytes: Uint8Array): number {
  let best = 0;
  let bestScore = Number.POSITIVE_INFINITY;
  for (let at = 0; at + SHORTCUT_LENGTH <= bytes.length; at++) {
    let shortcut = 0;
    for (let byte = at; byte < at + SHORTCUT_LENGTH; byte++) shortcut = (shortcut << 8) | fold[bytes[byte]!]!;
    const fromMiddle = Math.abs(at + SHORTCUT_LENGTH / 2 - bytes.length / 2) / bytes.length;
    const score = (items.get(shortcut)?.length ?? 0) + fromMiddle;
    if (score >= bestScore) continue;
    best = shortcut;
    bestScore = score;
  }
  return best;
}
