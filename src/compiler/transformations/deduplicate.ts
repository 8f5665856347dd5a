import { BLOCK, type Block, createBlock, createByteTable, findOrAddBlock, hashBlock } from '../lines/byte-table.ts';
import { isRemark } from '../lines/line-kind.ts';
import type { Lines } from '../lines/lines.ts';
import type { Drop } from './transformation.ts';

/**
 * Keeps the last of equal rules: what stands later in a list overrules what stands before. The comments above a
 * dropped rule go with it.
 */
export function deduplicate(lines: Lines, drop: Drop): void {
  const seen = createByteTable(lines.count);
  const block = createBlock();
  let droppedBelow = false;
  for (let to = lines.count; to > 0; to -= BLOCK) {
    const from = Math.max(0, to - BLOCK);
    fillUpwards(block, lines, from, to);
    hashBlock(lines.text.bytes, block);
    findOrAddBlock(seen, lines.text.bytes, block);
    droppedBelow = dropUpwards(block, from, to, droppedBelow, drop);
  }
}

/** The rules of a block from the last to the first. */
function fillUpwards(block: Block, { text: { bytes }, start, end }: Lines, from: number, to: number): void {
  let count = 0;
  for (let at = to - 1; at >= from; at--) {
    if (isRemark(bytes, start[at]!, end[at]!)) continue;
    block.start[count] = start[at]!;
    block.end[count] = end[at]!;
    block.value[count++] = at;
  }
  block.count = count;
}

/** Says whether the rule at the top of the block was dropped: the comments above it may lie in the next. */
function dropUpwards(block: Block, from: number, to: number, isDroppedBelow: boolean, drop: Drop): boolean {
  let droppedBelow = isDroppedBelow;
  let item = 0;
  for (let at = to - 1; at >= from; at--) {
    if (item === block.count || block.value[item] !== at) {
      if (droppedBelow) drop(at, 'belongs to a dropped rule');
      continue;
    }
    const later = block.found[item++]!;
    droppedBelow = later !== -1;
    if (droppedBelow) drop(at, 'duplicate', later);
  }
  return droppedBelow;
}
