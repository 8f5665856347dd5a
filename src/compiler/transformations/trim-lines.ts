import { pick } from '../lines/blocks.ts';
import type { Transformation } from './transformation.ts';

const SPACE = 0x20;
const TAB = 0x09;

/** Trims spaces and tabs, and no other white space. */
export const trimLines: Transformation = (lines) => {
  const { start, end } = lines;
  const { bytes } = lines.text;
  for (const at of pick(lines, 'pickEdged')) {
    let from = start[at]!;
    let to = end[at]!;
    while (from < to && (bytes[from] === SPACE || bytes[from] === TAB)) from++;
    while (to > from && (bytes[to - 1] === SPACE || bytes[to - 1] === TAB)) to--;
    start[at] = from;
    end[at] = to;
  }
};
