export { beginText, lineEnd, lineHigh, lineKind, lineLow, lineStart, readLines, textStart } from './list-lines';
export { useSecret } from './name-hash';
export { filters, hashName, high, low, name, starts, words } from './name-keys';
export { keepVerdicts, recalled, remember } from './verdicts';
