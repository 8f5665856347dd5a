import { byBlock } from './by-block.ts';

const SPACE = 0x20;
const TAB = 0x09;

/** Takes spaces and tabs, and no other white space, from both ends. */
export const trimLines = byBlock(({ text: { bytes }, start, end }, first, last) => {
  for (let at = first; at < last; at++) {
    let from = start[at]!;
    let to = end[at]!;
    while (from < to && (bytes[from] === SPACE || bytes[from] === TAB)) from++;
    while (to > from && (bytes[to - 1] === SPACE || bytes[to - 1] === TAB)) to--;
    start[at] = from;
    end[at] = to;
  }
});
