import { isComment } from '../lines/line-kind.ts';
import { byBlock } from './by-block.ts';

export const removeComments = byBlock(({ text: { bytes }, start, end }, from, to, drop) => {
  for (let at = from; at < to; at++) {
    if (isComment(bytes, start[at]!, end[at]!)) drop(at, 'comment');
  }
});
