import { eachBlock, pick } from '../lines/blocks.ts';
import { BLOCK } from '../lines/kernels.ts';
import { isAnnotation } from '../lines/line-kind.ts';
import type { Lines } from '../lines/lines.ts';
import { createTable } from '../lines/workspace.ts';
import type { Drop } from './transformation.ts';

/**
 * Keeps the last of equal rules, because later rules override earlier ones. Comments above a dropped rule are dropped with
 * it.
 */
export function deduplicate(lines: Lines, drop: Drop): void {
  const { start, end, text } = lines;
  // Iterates backwards, so that earlier duplicates are compared with the last one.
  const picked = pickRepeatable(lines).reverse();
  const rules = picked.filter((at) => !isAnnotation(text.bytes, start[at]!, end[at]!));
  const later = findLater(lines, rules);
  let item = 0;
  let above = lines.count;
  let droppedBelow = false;
  for (const at of picked) {
    // The line below was not picked and is not dropped.
    if (at !== above - 1) droppedBelow = false;
    if (at === rules[item]) {
      const same = later[item++]!;
      droppedBelow = same !== -1;
      if (droppedBelow) drop(at, 'duplicate', rules[same]);
    } else if (droppedBelow) {
      drop(at, 'belongs to a dropped rule');
    }
    above = at;
  }
}

/** Lines marked as unique need comparison only with unmarked lines. */
function pickRepeatable(lines: Lines): Int32Array {
  lines.text.kernels.clearBloom();
  eachBlock(lines, ({ kernels }, _, count) => void kernels.addUnnormalized(count));
  return pick(lines, 'pickInBloom');
}

/** For each rule the index of an equal earlier one in the given order, or -1. */
function findLater({ text, start, end }: Lines, rules: Int32Array): Int32Array {
  const { kernels } = text;
  const later = new Int32Array(rules.length);
  createTable(text, rules.length);
  for (let first = 0; first < rules.length; first += BLOCK) {
    const some = rules.subarray(first, first + BLOCK);
    const { block } = text;
    for (const [at, rule] of some.entries()) {
      block.start[at] = start[rule]!;
      block.end[at] = end[rule]!;
    }
    kernels.hashLines(some.length);
    kernels.findOrAdd(some.length, first);
    later.set(block.found.subarray(0, some.length), first);
  }
  return later;
}
