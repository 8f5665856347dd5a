/** Start of the text, after the kernels' own data. */
export const textStart = __heap_base;

export {
  clear,
  dropped,
  end,
  found,
  hash,
  nameEnd,
  nameStart,
  number,
  picked,
  source,
  start,
  totalLength,
  traits,
} from './block';
export { compactLines } from './compact-lines';
export { hashLines, hashOf } from './hash';
export { isAscii } from './is-ascii';
export { pickUnnormalized, readNames, writeNames } from './names';
export { pickCapital, pickEdged, pickEdgedOrModified, pickMarked, pickNonAscii } from './prefilter';
export { addUnnormalized, clearBloom, pickInBloom } from './signatures';
export { beginLines, countBreaks, splitLines } from './split-lines';
export { enterSuffixes } from './suffixes';
export { createTable, findOrAdd, findParents, tableLength } from './table';
export { writeLines } from './write-lines';
