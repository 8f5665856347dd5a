import { pick } from '../lines/blocks.ts';
import { isBlank } from '../lines/line-kind.ts';
import type { Transformation } from './transformation.ts';

export const removeEmptyLines: Transformation = (lines, drop) => {
  const { text, start, end } = lines;
  for (const at of pick(lines, 'pickEdged')) if (isBlank(text.bytes, start[at]!, end[at]!)) drop(at, 'empty');
};
