import { skipBlanks, skipBlanksBack } from './line-kind.ts';
import { createLines, type Lines, reserveLines } from './lines.ts';
import { append, type Text } from './text.ts';

const LF = 0x0a;
const CR = 0x0d;
const BLOCK_BYTES = 2 ** 12;
// Memory that is not written to costs nothing; lists of shorter lines grow.
const SHORT_LINE_BYTES = 12;

/**
 * The lines of a list: white space around the whole goes, any run of CR and LF parts two lines, so that empty lines
 * never survive. A list of nothing is one empty line. Line numbers are those an editor shows.
 */
export function readLines(text: Text, list: Uint8Array, source: number): Lines {
  const base = append(text, list);
  const { bytes } = text;
  const start = skipBlanks(bytes, base, text.length);
  const end = skipBlanksBack(bytes, start, text.length);
  const lines = createLines(text, Math.ceil((end - start) / SHORT_LINE_BYTES) + BLOCK_BYTES);
  const words = new Int32Array(bytes.buffer, 0, bytes.length >>> 2);
  let number = 1 + countBreaks(bytes, base, start);
  let from = start;
  do {
    const to = endOfBlock(bytes, Math.min(from + BLOCK_BYTES, end), end);
    // A line takes two bytes at the least, its own and the break; of nothing one line is made.
    reserveLines(lines, (to - from) / 2 + 1);
    number = readBlock(lines, bytes, words, from, to, number);
    from = to;
  } while (from < end);
  lines.source.fill(source, 0, lines.count);
  return lines;
}

/** Reads lines up to `end`, where a line ends or the list does, and gives the number of the next. */
function readBlock(
  lines: Lines,
  bytes: Uint8Array,
  words: Int32Array,
  start: number,
  end: number,
  first: number,
): number {
  const { start: starts, end: ends, number: numbers } = lines;
  let { count } = lines;
  let number = first;
  let from = start;
  do {
    const to = nextBreak(bytes, words, from, end);
    starts[count] = from;
    ends[count] = to;
    numbers[count++] = number;
    from = to;
    while (from < end && (bytes[from] === LF || bytes[from] === CR)) from++;
    number += from - to === 1 ? 1 : countBreaks(bytes, to, from);
  } while (from < end);
  lines.count = count;
  return number;
}

/** Looks at four bytes at a time: only a word with a byte below 14, as both line breaks are, is worth a closer look. */
function nextBreak(bytes: Uint8Array, words: Int32Array, from: number, end: number): number {
  let at = from;
  for (; at < end && at % 4 !== 0; at++) if (bytes[at] === LF || bytes[at] === CR) return at;
  for (; at < end; at += 4) {
    const word = words[at >>> 2]!;
    if (((word - 0x0e0e0e0e) & ~word & 0x80808080) === 0) continue;
    for (let byte = at; byte < at + 4; byte++) {
      if (byte >= end || bytes[byte] === LF || bytes[byte] === CR) return Math.min(byte, end);
    }
  }
  return end;
}

/** The first place from here on where the line breaks behind a line are over. */
function endOfBlock(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== LF && bytes[at] !== CR) at++;
  while (at < end && (bytes[at] === LF || bytes[at] === CR)) at++;
  return at;
}

function countBreaks(bytes: Uint8Array, start: number, end: number): number {
  let breaks = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] === LF || (bytes[at] === CR && !(at + 1 < end && bytes[at + 1] === LF))) breaks++;
  }
  return breaks;
}
