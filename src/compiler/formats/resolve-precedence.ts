import { find, HASH_SEED, hashByte, mayHave } from './byte-table.ts';
import type { Names } from './name-conditions.ts';

const DOT = 0x2e;

/**
 * Resolves precedence: at every name the rule with the highest priority wins, including rules of parent domains. Returns for
 * each name the highest priority inherited from its parents.
 */
export function resolvePrecedence(names: Names): Uint8Array {
  const above = new Uint8Array(names.count);
  for (let name = 0; name < names.count; name++) above[name] = priorityFromParents(names, name);
  for (let name = 0; name < names.count; name++) raise(names, name, above[name]!);
  return above;
}

function priorityFromParents({ text: { bytes }, table, start, end, below }: Names, name: number): number {
  const to = end[name]!;
  let priority = 0;
  let hash = HASH_SEED;
  for (let at = to - 1; at >= start[name]!; at--) {
    if (bytes[at] === DOT && mayHave(table, hash)) {
      const parent = find(table, bytes, at + 1, to, hash);
      if (parent !== -1 && below[parent]! > priority) priority = below[parent]!;
    }
    hash = hashByte(hash, bytes[at]!);
  }
  return priority;
}

function raise({ self, below }: Names, name: number, above: number): void {
  if (self[name] !== 0 && self[name]! < above) self[name] = above;
  if (below[name] !== 0 && below[name]! < above) below[name] = above;
}

/** Writes the inherited priority into names that define only one of the two scopes. */
export function inherit({ count, self, below }: Names, above: Uint8Array): void {
  for (let name = 0; name < count; name++) {
    if (self[name] === 0) self[name] = above[name]!;
    if (below[name] === 0) below[name] = above[name]!;
  }
}
