import { isBlank } from '../lines/line-kind.ts';
import { byBlock } from './by-block.ts';

export const removeEmptyLines = byBlock(({ text: { bytes }, start, end }, from, to, drop) => {
  for (let at = from; at < to; at++) {
    if (isBlank(bytes, start[at]!, end[at]!)) drop(at, 'empty');
  }
});
