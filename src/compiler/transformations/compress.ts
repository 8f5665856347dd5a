import { eachBlock } from '../lines/blocks.ts';
import { BLOCK } from '../lines/kernels.ts';
import type { Lines } from '../lines/lines.ts';
import { reserve } from '../lines/text.ts';
import { createTable, enterSuffixes } from '../lines/workspace.ts';
import type { Drop, Reason } from './transformation.ts';
import { findNames, type Names } from './transformation-names.ts';

/**
 * Drops duplicate names and names covered by a parent, and rewrites hosts lines and plain domains as `||name^`. Rules with modifiers are
 * not changed, because a modifier may make a parent narrower than its child.
 */
export function compress(lines: Lines, drop: Drop): void {
  enterSuffixes(lines.text);
  const names = findNames(lines);
  createTable(lines.text, lines.count);
  dropFound(lines, names, 'findOrAdd', 'same name', drop);
  dropFound(lines, names, 'findParents', 'covered by a parent', drop);
  writeNames(lines, names);
}

/** Drops the names that a kernel finds in the table. */
function dropFound(lines: Lines, names: Names, kernel: 'findOrAdd' | 'findParents', reason: Reason, drop: Drop): void {
  const { kernels, block } = lines.text;
  for (let first = 0; first < lines.count; first += BLOCK) {
    const count = Math.min(BLOCK, lines.count - first);
    block.start.set(names.start.subarray(first, first + count));
    block.end.set(names.end.subarray(first, first + count));
    block.hash.set(names.hash.subarray(first, first + count));
    const picked = kernels[kernel](count, first);
    for (const at of block.picked.subarray(0, picked)) {
      names.end[at] = 0;
      drop(at, reason, block.found[at - first]);
    }
  }
}

// `||` and `^`.
const AROUND_NAME = 3;

/** Writes the rules of the remaining names and marks those that later steps can skip. */
function writeNames(lines: Lines, names: Names): void {
  eachBlock(lines, (text, first, count) => {
    reserve(text, text.kernels.totalLength(count) + AROUND_NAME * count);
    const { block } = text;
    block.nameStart.set(names.start.subarray(first, first + count));
    block.nameEnd.set(names.end.subarray(first, first + count));
    block.traits.set(names.traits.subarray(first, first + count));
    text.length = text.kernels.writeNames(count, text.length);
    for (const column of ['start', 'end', 'clear'] as const) lines[column].set(block[column].subarray(0, count), first);
  });
}
