import { find, HASH_SEED, hashByte } from './byte-table.ts';
import { addName, type Names } from './name-conditions.ts';
import { isSameVerdict } from './rule-effects.ts';

const DOT = 0x2e;

/**
 * A zone wildcard does not apply at or below existing names, including empty non-terminals (RFC 4592, section 2.2): beside
 * `*.example.com`, a record for `a.b.example.com` alone would unblock `b.example.com`. Names with the same effect as their
 * parent get no record, and names between a record and its parent get their own. Returns the names that need no record.
 */
export function fillWildcardGaps(names: Names, above: Uint8Array): Uint8Array {
  const redundant = new Uint8Array(above.length);
  for (let name = 0; name < above.length; name++) {
    if (hasSameVerdicts(names, name, above[name]!)) redundant[name] = 1;
  }
  for (let name = 0; name < above.length; name++) {
    if (above[name] !== 0 && redundant[name] === 0) fillGapsAbove(names, name, above[name]!, redundant);
  }
  return redundant;
}

const hasSameVerdicts = ({ self, below }: Names, name: number, above: number): boolean =>
  isSameVerdict(self[name]!, above) && isSameVerdict(below[name]!, above);

function fillGapsAbove(names: Names, name: number, priority: number, redundant: Uint8Array): void {
  for (const start of gapsAbove(names, name, redundant)) {
    const gap = addName(names, start, names.end[name]!);
    names.self[gap] = priority;
    names.below[gap] = priority;
    redundant[gap] = 0;
  }
}

/** Offsets of the parents without a record, below the nearest one with a record. */
function gapsAbove(
  { text: { bytes }, table, start, end }: Names,
  name: number,
  redundant: Uint8Array,
): readonly number[] {
  const gaps: number[] = [];
  const to = end[name]!;
  let isUnderLine = false;
  let hash = HASH_SEED;
  for (let at = to - 1; at >= start[name]!; at--) {
    if (bytes[at] === DOT) {
      const parent = find(table, bytes, at + 1, to, hash);
      if (parent !== -1 && redundant[parent] !== 1) {
        isUnderLine = true;
        gaps.length = 0;
      } else if (isUnderLine) {
        gaps.push(at + 1);
      }
    }
    hash = hashByte(hash, bytes[at]!);
  }
  return gaps;
}
