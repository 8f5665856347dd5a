import { BLOCK, type Block, createBlock, createByteTable, findOrAddBlock, hashBlock } from '../lines/byte-table.ts';
import { isRemark } from '../lines/line-kind.ts';
import type { Lines } from '../lines/lines.ts';
import type { Drop } from './transformation.ts';

const BAR = 0x7c;
const CARET = 0x5e;

/**
 * Keeps the last of equal rules: what stands later in a list overrules what stands before. The comments above a
 * dropped rule go with it.
 */
export function deduplicate(lines: Lines, drop: Drop): void {
  const { signatures, unclear } = findUnclear(lines);
  const seen = createByteTable(unclear);
  const block = createBlock();
  let droppedBelow = false;
  for (let to = lines.count; to > 0; to -= BLOCK) {
    const from = Math.max(0, to - BLOCK);
    fillUpwards(block, lines, from, to, signatures);
    hashBlock(lines.text.bytes, block);
    findOrAddBlock(seen, lines.text.bytes, block);
    droppedBelow = dropUpwards(block, lines, from, to, droppedBelow, drop);
  }
}

const SIGNATURES = 2 ** 18;

/** A number from the length of a line of the form `||name^` and some of its bytes: seldom the same for two names. */
function signature(bytes: Uint8Array, start: number, end: number): number {
  const middle = (start + end) >>> 1;
  let mixed = (bytes[start + 2]! << 24) ^ (bytes[start + 3]! << 16) ^ (bytes[middle]! << 8) ^ bytes[middle + 1]!;
  mixed = Math.imul(mixed ^ (end - start), 0x9e3779b1) ^ bytes[start + 4]!;
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> (32 - 18);
}

/** Clear lines differ from each other: they need a look only when another line could be equal to them. */
function findUnclear({ count, start, end, clear, text: { bytes } }: Lines): {
  signatures: Uint8Array;
  unclear: number;
} {
  const signatures = new Uint8Array(SIGNATURES);
  let unclear = 0;
  for (let at = 0; at < count; at++) {
    if (clear[at] === 1) continue;
    unclear++;
    const from = start[at]!;
    const to = end[at]!;
    if (bytes[from] === BAR && bytes[to - 1] === CARET) signatures[signature(bytes, from, to)] = 1;
  }
  return { signatures, unclear };
}

/** The rules of a block that may have an equal, from the last to the first. */
function fillUpwards(block: Block, lines: Lines, from: number, to: number, signatures: Uint8Array): void {
  const { start, end, clear } = lines;
  const { bytes } = lines.text;
  let count = 0;
  for (let at = to - 1; at >= from; at--) {
    const first = start[at]!;
    const last = end[at]!;
    if (clear[at] === 1 ? signatures[signature(bytes, first, last)] === 0 : isRemark(bytes, first, last)) continue;
    block.start[count] = first;
    block.end[count] = last;
    block.value[count++] = at;
  }
  block.count = count;
}

/** Says whether the rule at the top of the block was dropped: the comments above it may lie in the next. */
function dropUpwards(
  block: Block,
  { start, end, clear, text: { bytes } }: Lines,
  from: number,
  to: number,
  isDroppedBelow: boolean,
  drop: Drop,
): boolean {
  let droppedBelow = isDroppedBelow;
  let item = 0;
  for (let at = to - 1; at >= from; at--) {
    if (item < block.count && block.value[item] === at) {
      const later = block.found[item++]!;
      droppedBelow = later !== -1;
      if (droppedBelow) drop(at, 'duplicate', later);
    } else if (clear[at] === 1 || !isRemark(bytes, start[at]!, end[at]!)) {
      droppedBelow = false;
    } else if (droppedBelow) {
      drop(at, 'belongs to a dropped rule');
    }
  }
  return droppedBelow;
}
