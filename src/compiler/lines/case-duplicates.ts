import { eachBlock, pick } from './blocks.ts';
import { isComment } from './line-kind.ts';
import { addString, createLines, type Lines, lineText } from './lines.ts';

/** Number of rules that occur both with and without capital letters. */
export function countCaseDuplicates(lines: Lines): number {
  const { text, start, end } = lines;
  const lowered = createLines(text);
  const counts = new Map<string, number>();
  for (const at of pick(lines, 'pickCapital')) {
    if (isComment(text.bytes, start[at]!, end[at]!)) continue;
    const rule = lineText(lines, at).toLowerCase();
    if (!counts.has(rule)) addString(lowered, rule);
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return counts.size === 0 ? 0 : countIn(lines, lowered, counts);
}

/** Compares only candidate lines. */
function countIn(lines: Lines, lowered: Lines, counts: ReadonlyMap<string, number>): number {
  const { kernels } = lines.text;
  kernels.clearBloom();
  eachBlock(lowered, (_, __, count) => void kernels.addUnnormalized(count));
  return pick(lines, 'pickInBloom').reduce((duplicates, at) => duplicates + (counts.get(lineText(lines, at)) ?? 0), 0);
}
