import { hostsNames, isHostsLine } from '../../rules/hosts-line.ts';
import { eachBlock } from '../lines/blocks.ts';
import { TO_BE_WRITTEN } from '../lines/kernels.ts';
import { skipBlanks, skipBlanksBack } from '../lines/line-kind.ts';
import { addLine, createLines, type Lines, lineText } from '../lines/lines.ts';
import { endOfAddress, endOfName, endOfRuleName, isPlainDomain, nextName } from '../lines/parse-host.ts';
import { appendString, isAscii } from '../lines/text.ts';

/** The domain of each line; end 0 for lines that are not a single domain. */
export type Names = {
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly hash: Int32Array;
  readonly traits: Uint8Array;
};

const columns = ['start', 'end', 'hash', 'traits'] as const;

const createNames = (count: number): Names => ({
  start: new Int32Array(count),
  end: new Int32Array(count),
  hash: new Int32Array(count),
  traits: new Uint8Array(count),
});

/** Finds the domains of hosts lines, plain domains and `||name^`. A hosts line with several names is split into one line each. */
export function findNames(lines: Lines): Names {
  const names = createNames(lines.count);
  // Line, start and end of additional names; rare.
  const further: number[] = [];
  eachBlock(lines, ({ kernels, block }, first, count) => {
    const odd = kernels.readNames(count, first);
    names.start.set(block.nameStart.subarray(0, count), first);
    names.end.set(block.nameEnd.subarray(0, count), first);
    names.hash.set(block.hash.subarray(0, count), first);
    names.traits.set(block.traits.subarray(0, count), first);
    // Copied, because rewriting a name may grow the memory and detach the view.
    for (const at of block.picked.slice(0, odd)) readOddName(lines, at, names, further);
  });
  return further.length === 0 ? names : insertFurther(lines, names, further);
}

/** The slow path: hosts lines with comments or several names, surrounding spaces, unusual characters. */
function readOddName(lines: Lines, at: number, names: Names, further: number[]): void {
  const { bytes } = lines.text;
  const start = lines.start[at]!;
  const end = lines.end[at]!;
  const address = endOfAddress(bytes, start, end);
  if (address !== -1 && isAscii(bytes, address, end)) {
    readHostsLine(lines, at, address, names, further);
  } else if (isPlainDomain(bytes, start, end)) {
    setName(lines, names, at, start, end);
  } else if (!readSpacedRule(lines, at, names) && !isAscii(bytes, start, end)) {
    readHostsText(lines, at, names, further);
  }
}

/** Surrounding spaces and a trailing `$` are accepted and kept. */
function readSpacedRule(lines: Lines, at: number, names: Names): boolean {
  const { bytes } = lines.text;
  const end = lines.end[at]!;
  const from = skipBlanks(bytes, lines.start[at]!, end);
  const to = endOfRuleName(bytes, from, skipBlanksBack(bytes, from, end));
  if (to === -1) return false;
  setName(lines, names, at, from + 2, to);
  names.traits[at] = 0;
  return true;
}

function readHostsLine(lines: Lines, at: number, address: number, names: Names, further: number[]): void {
  const { bytes } = lines.text;
  const end = lines.end[at]!;
  const first = nextName(bytes, address, end);
  if (first === end) return;
  const firstEnd = endOfName(bytes, first, end);
  setName(lines, names, at, first, firstEnd);
  for (let from = nextName(bytes, firstEnd, end); from < end; ) {
    const to = endOfName(bytes, from, end);
    further.push(at, from, to);
    from = nextName(bytes, to, end);
  }
}

/** The same for non-ASCII lines, which may contain Unicode white space. */
function readHostsText(lines: Lines, at: number, names: Names, further: number[]): void {
  const line = lineText(lines, at);
  const [first, ...others] = isHostsLine(line) ? hostsNames(line) : [];
  if (first === undefined) return;
  const start = appendString(lines.text, first);
  setName(lines, names, at, start, lines.text.length);
  for (const name of others) further.push(at, appendString(lines.text, name), lines.text.length);
}

function setName({ text }: Lines, names: Names, at: number, start: number, end: number): void {
  names.start[at] = start;
  names.end[at] = end;
  names.hash[at] = text.kernels.hashOf(start, end);
  names.traits[at] = TO_BE_WRITTEN;
}

function insertFurther(lines: Lines, names: Names, further: readonly number[]): Names {
  const all = createLines(lines.text, lines.count + further.length / 3);
  const allNames = createNames(all.start.length);
  let next = 0;
  for (let at = 0; at < lines.count; at++) {
    for (const column of columns) allNames[column][all.count] = names[column][at]!;
    addLine(all, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
    for (; further[next] === at; next += 3) {
      setName(lines, allNames, all.count, further[next + 1]!, further[next + 2]!);
      addLine(all, lines.start[at]!, lines.end[at]!, lines.source[at]!, lines.number[at]!);
    }
  }
  Object.assign(lines, all);
  return allNames;
}
