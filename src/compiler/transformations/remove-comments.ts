import { pick } from '../lines/blocks.ts';
import { isComment } from '../lines/line-kind.ts';
import type { Transformation } from './transformation.ts';

export const removeComments: Transformation = (lines, drop) => {
  const { text, start, end } = lines;
  for (const at of pick(lines, 'pickMarked')) if (isComment(text.bytes, start[at]!, end[at]!)) drop(at, 'comment');
};
