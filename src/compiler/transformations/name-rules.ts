import { hostsNames, isHostsLine } from '../../rules/hosts-line.ts';
import { endOfAddress, endOfName, endOfRuleName, isPlainDomain, nextName } from '../lines/host-bytes.ts';
import { skipBlanks, skipBlanksBack } from '../lines/line-kind.ts';
import { addLine, createLines, type Lines, lineText } from '../lines/lines.ts';
import { appendString, isAscii, reserve, type Text } from '../lines/text.ts';
import { byBlock } from './by-block.ts';

const BAR = 0x7c;
const CARET = 0x5e;
const LF = 0x0a;
const BARS_AND_CARET = 3;

/** Where in the text the bare name of each line stands; 0 and 0 for lines that are more or less than a name. */
export type Names = { start: Int32Array; end: Int32Array };

const createNames = (count: number): Names => ({ start: new Int32Array(count), end: new Int32Array(count) });

/** Writes each hosts line and each plain domain as `||name^`, one line a name, and says which lines are such rules. */
export function writeNameRules(lines: Lines): Names {
  const names = createNames(lines.count);
  // Line, start and end of the rules for the names behind the first: few lists have any.
  const further: number[] = [];
  byBlock((all, from, to) => {
    for (let at = from; at < to; at++) writeNameRule(all, at, names, further);
  })(lines, () => {});
  return further.length === 0 ? names : insertFurther(lines, names, further);
}

function writeNameRule(lines: Lines, at: number, names: Names, further: number[]): void {
  const { bytes } = lines.text;
  const start = lines.start[at]!;
  const end = lines.end[at]!;
  if (bytes[start] === BAR && isNameRule(bytes, start, end, at, names)) return;
  const address = endOfAddress(bytes, start, end);
  if (address !== -1) {
    writeHostsLine(lines, at, address, names, further);
  } else if (isPlainDomain(bytes, start, end)) {
    replaceByName(lines, at, start, end, names);
  } else if (!isSpacedNameRule(bytes, start, end, at, names) && !isAscii(bytes, start, end)) {
    writeHostsText(lines, at, names, further);
  }
}

function isNameRule(bytes: Uint8Array, start: number, end: number, at: number, names: Names): boolean {
  const to = endOfRuleName(bytes, start, end);
  if (to === -1) return false;
  names.start[at] = start + 2;
  names.end[at] = to;
  return true;
}

/** A rule counts with blanks around it, and keeps them. */
function isSpacedNameRule(bytes: Uint8Array, start: number, end: number, at: number, names: Names): boolean {
  const from = skipBlanks(bytes, start, end);
  return isNameRule(bytes, from, skipBlanksBack(bytes, from, end), at, names);
}

function writeHostsLine(lines: Lines, at: number, address: number, names: Names, further: number[]): void {
  const { text } = lines;
  const end = lines.end[at]!;
  const first = nextName(text.bytes, address, end);
  const firstEnd = endOfName(text.bytes, first, end);
  if (firstEnd < end && !isAscii(text.bytes, firstEnd, end)) {
    writeHostsText(lines, at, names, further);
    return;
  }
  if (first === end) return;
  replaceByName(lines, at, first, firstEnd, names);
  for (let from = nextName(text.bytes, firstEnd, end); from < end; ) {
    const to = endOfName(text.bytes, from, end);
    const rule = appendNameRule(text, from, to);
    further.push(at, rule, rule + to - from + BARS_AND_CARET);
    from = nextName(text.bytes, to, end);
  }
}

/** The same for a line that is not ASCII, where more than one character is white space. */
function writeHostsText(lines: Lines, at: number, names: Names, further: number[]): void {
  const line = lineText(lines, at);
  const [first, ...others] = isHostsLine(line) ? hostsNames(line) : [];
  if (first === undefined) return;
  lines.start[at] = appendString(lines.text, `||${first}^`);
  lines.end[at] = lines.text.length;
  names.start[at] = lines.start[at]! + 2;
  names.end[at] = lines.end[at]! - 1;
  for (const name of others) further.push(at, appendString(lines.text, `||${name}^`), lines.text.length);
}

function replaceByName(lines: Lines, at: number, start: number, end: number, names: Names): void {
  const rule = appendNameRule(lines.text, start, end);
  lines.start[at] = rule;
  lines.end[at] = rule + end - start + BARS_AND_CARET;
  names.start[at] = rule + 2;
  names.end[at] = rule + 2 + end - start;
}

/** Adds `||name^` for a name that stands elsewhere in the text, and says where it begins. */
function appendNameRule(text: Text, start: number, end: number): number {
  const at = text.length;
  const bytes = reserve(text, end - start + 4);
  let to = at;
  bytes[to++] = BAR;
  bytes[to++] = BAR;
  for (let from = start; from < end; from++) bytes[to++] = bytes[from]!;
  bytes[to++] = CARET;
  // Between the rules, so that they can later be copied in one piece.
  bytes[to++] = LF;
  text.length = to;
  return at;
}

function insertFurther(lines: Lines, names: Names, further: readonly number[]): Names {
  const all = createLines(lines.text, lines.count + further.length / 3);
  const allNames = createNames(all.start.length);
  let next = 0;
  for (let at = 0; at < lines.count; at++) {
    allNames.start[all.count] = names.start[at]!;
    allNames.end[all.count] = names.end[at]!;
    addLine(all, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
    for (; further[next] === at; next += 3) {
      allNames.start[all.count] = further[next + 1]! + 2;
      allNames.end[all.count] = further[next + 2]! - 1;
      addLine(all, further[next + 1]!, further[next + 2]!, lines.source[at]!, lines.number[at]!);
    }
  }
  Object.assign(lines, all);
  return allNames;
}
