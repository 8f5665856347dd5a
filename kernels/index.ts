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
export { hashLines, hashOf } from './hash';
export { isAscii } from './is-ascii';
export { pickUnclear, readNames, writeNames } from './names';
export { pickCapital, pickEdged, pickEdgedOrModified, pickForeign, pickMarked } from './sieve';
export { forgetSignatures, pickSigned, signUnclear } from './signatures';
export { beginLines, countBreaks, splitLines } from './split-lines';
export { enterSuffixes } from './suffixes';
export { sweepLines } from './sweep-lines';
export { createTable, findOrAdd, findParents, tableLength } from './table';
export { writeLines } from './write-lines';
