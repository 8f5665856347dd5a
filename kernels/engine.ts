export { beginText, lineEnd, lineHigh, lineKind, lineLow, lineStart, readLines, textStart } from './list-lines';
export { useSecret } from './name-hash';
export { filters, hashName, high, low, name, starts, words } from './name-keys';
export { cachedVerdict, initVerdictCache, putVerdict } from './verdict-cache';
