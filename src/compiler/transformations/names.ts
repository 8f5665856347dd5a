import { hostsNames, isHostsLine } from '../../rules/hosts-line.ts';
import { HASH_SEED, hashByte } from '../lines/byte-table.ts';
import { endOfAddress, endOfName, endOfRuleName, isPlainDomain, nextName } from '../lines/host-bytes.ts';
import { skipBlanks, skipBlanksBack } from '../lines/line-kind.ts';
import { addLine, createLines, type Lines, lineText } from '../lines/lines.ts';
import { appendString, isAscii } from '../lines/text.ts';
import { byBlock } from './by-block.ts';
import { readSimpleName } from './simple-name.ts';

const DOT = 0x2e;

/** The line is no `||name^` yet. */
export const TO_BE_WRITTEN = 1;
/** The name is a single label. */
export const DOTLESS = 2;
/** The name has four labels or more. */
export const MORE_PARENTS = 4;
/** Lower-case labels that no check of a host name objects to, two at the least. */
export const CLEAR = 8;

/** What is known of the bare name of each line; lines that are more or less than a name have the end 0. */
export type Names = {
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly hash: Int32Array;
  /** Some bits of the hash of the parent of one label. */
  readonly topMark: Uint16Array;
  /** Start and hash of the parent of two labels; 0 for names that have none. */
  readonly parentStart: Int32Array;
  readonly parentHash: Int32Array;
  readonly traits: Uint8Array;
};

export const TOP_MARKS = 2 ** 12;
export const topMark = (hash: number): number => (hash ^ (hash >>> 15)) & (TOP_MARKS - 1);

const columns = ['start', 'end', 'hash', 'topMark', 'parentStart', 'parentHash', 'traits'] as const;

const createNames = (count: number): Names => ({
  start: new Int32Array(count),
  end: new Int32Array(count),
  hash: new Int32Array(count),
  topMark: new Uint16Array(count),
  parentStart: new Int32Array(count),
  parentHash: new Int32Array(count),
  traits: new Uint8Array(count),
});

/** Finds the names of hosts lines, plain domains and `||name^`. A hosts line with several names becomes as many lines. */
export function findNames(lines: Lines): Names {
  const names = createNames(lines.count);
  // Line, start and end of the names behind the first: few lists have any.
  const further: number[] = [];
  byBlock((all, from, to) => {
    const { bytes } = all.text;
    for (let at = from; at < to; at++) {
      if (!readSimpleName(bytes, all.start[at]!, all.end[at]!, at, names)) readOddName(all, at, names, further);
    }
  })(lines, () => {});
  return further.length === 0 ? names : insertFurther(lines, names, further);
}

/** All that is not simple: hosts lines with comments or several names, rules with blanks around them, odd characters. */
function readOddName(lines: Lines, at: number, names: Names, further: number[]): void {
  const { bytes } = lines.text;
  const start = lines.start[at]!;
  const end = lines.end[at]!;
  const address = endOfAddress(bytes, start, end);
  if (address !== -1 && isAscii(bytes, address, end)) {
    readHostsLine(lines, at, address, names, further);
  } else if (isPlainDomain(bytes, start, end)) {
    setName(bytes, names, at, start, end, TO_BE_WRITTEN);
  } else if (!readSpacedRule(bytes, start, end, at, names) && !isAscii(bytes, start, end)) {
    readHostsText(lines, at, names, further);
  }
}

/** A rule counts with blanks around it, and with a `$` that nothing follows, and keeps them. */
function readSpacedRule(bytes: Uint8Array, start: number, end: number, at: number, names: Names): boolean {
  const from = skipBlanks(bytes, start, end);
  const to = endOfRuleName(bytes, from, skipBlanksBack(bytes, from, end));
  if (to === -1) return false;
  setName(bytes, names, at, from + 2, to, 0);
  return true;
}

function readHostsLine(
  { text: { bytes }, end: ends }: Lines,
  at: number,
  address: number,
  names: Names,
  further: number[],
): void {
  const end = ends[at]!;
  const first = nextName(bytes, address, end);
  if (first === end) return;
  const firstEnd = endOfName(bytes, first, end);
  setName(bytes, names, at, first, firstEnd, TO_BE_WRITTEN);
  for (let from = nextName(bytes, firstEnd, end); from < end; ) {
    const to = endOfName(bytes, from, end);
    further.push(at, from, to);
    from = nextName(bytes, to, end);
  }
}

/** The same for a line that is not ASCII, where more than one character is white space. */
function readHostsText(lines: Lines, at: number, names: Names, further: number[]): void {
  const line = lineText(lines, at);
  const [first, ...others] = isHostsLine(line) ? hostsNames(line) : [];
  if (first === undefined) return;
  const start = appendString(lines.text, first);
  setName(lines.text.bytes, names, at, start, lines.text.length, TO_BE_WRITTEN);
  for (const name of others) further.push(at, appendString(lines.text, name), lines.text.length);
}

function setName(bytes: Uint8Array, names: Names, at: number, start: number, end: number, traits: number): void {
  names.start[at] = start;
  names.end[at] = end;
  names.parentStart[at] = 0;
  let hash = HASH_SEED;
  let dots = 0;
  for (let byte = end - 1; byte >= start; byte--) {
    if (bytes[byte] === DOT) {
      dots++;
      if (dots === 1) names.topMark[at] = topMark(hash);
      if (dots === 2) {
        names.parentStart[at] = byte + 1;
        names.parentHash[at] = hash;
      }
    }
    hash = hashByte(hash, bytes[byte]!);
  }
  names.hash[at] = hash;
  names.traits[at] = traits | (dots === 0 ? DOTLESS : 0) | (dots > 2 ? MORE_PARENTS : 0);
}

function insertFurther(lines: Lines, names: Names, further: readonly number[]): Names {
  const all = createLines(lines.text, lines.count + further.length / 3);
  const allNames = createNames(all.start.length);
  let next = 0;
  for (let at = 0; at < lines.count; at++) {
    for (const column of columns) allNames[column][all.count] = names[column][at]!;
    addLine(all, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
    for (; further[next] === at; next += 3) {
      setName(lines.text.bytes, allNames, all.count, further[next + 1]!, further[next + 2]!, TO_BE_WRITTEN);
      addLine(all, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
    }
  }
  Object.assign(lines, all);
  return allNames;
}
