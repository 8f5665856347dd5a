import { appendString, decode, type Text } from './text.ts';

/**
 * A list of lines as columns over one text. Transformations edit the list they are given: drop lines, move their
 * ends, or give them another text. `sweep` then closes the gaps.
 */
export type Lines = {
  readonly text: Text;
  count: number;
  start: Int32Array;
  end: Int32Array;
  /** Which source of the configuration the line came from, and which line of it; 0 for lines we wrote. */
  source: Int32Array;
  number: Int32Array;
  dropped: Uint8Array;
  /**
   * 1 for `||name^` with a name that no check objects to but that for public suffixes, and that no other line with this
   * mark has. Compress finds out; a change of the line takes the mark.
   */
  clear: Uint8Array;
};

export const createLines = (text: Text, capacity = 1024): Lines => ({
  text,
  count: 0,
  start: new Int32Array(capacity),
  end: new Int32Array(capacity),
  source: new Int32Array(capacity),
  number: new Int32Array(capacity),
  dropped: new Uint8Array(capacity),
  clear: new Uint8Array(capacity),
});

/** Makes room for so many lines more. Whoever holds a column must read it again afterwards. */
export function reserveLines(lines: Lines, extra: number): void {
  if (lines.count + extra > lines.start.length) grow(lines, Math.max(lines.count + extra, lines.start.length * 2));
}

export function addLine(lines: Lines, start: number, end: number, source: number, number: number): void {
  reserveLines(lines, 1);
  const at = lines.count++;
  lines.start[at] = start;
  lines.end[at] = end;
  lines.source[at] = source;
  lines.number[at] = number;
  lines.clear[at] = 0;
}

export function addString(lines: Lines, string: string, source = 0, number = 0): void {
  const start = appendString(lines.text, string);
  addLine(lines, start, lines.text.length, source, number);
}

/** Puts another text in the place of a line's. */
export function replaceLine(lines: Lines, at: number, string: string): void {
  lines.start[at] = appendString(lines.text, string);
  lines.end[at] = lines.text.length;
  lines.clear[at] = 0;
}

export const lineText = (lines: Lines, at: number): string =>
  decode(lines.text.bytes, lines.start[at]!, lines.end[at]!);

export function toStrings(lines: Lines): string[] {
  return Array.from({ length: lines.count }, (_, at) => lineText(lines, at));
}

/** Puts one list behind the other; both lie over the same text. */
export function addLines(lines: Lines, more: Lines): void {
  reserveLines(lines, more.count);
  for (const column of ['start', 'end', 'source', 'number'] as const) {
    lines[column].set(more[column].subarray(0, more.count), lines.count);
  }
  // What no other line of its own list has, one of another may have.
  lines.clear.fill(0, lines.count, lines.count + more.count);
  lines.count += more.count;
}

// A run of lines this long is worth a call of the engine's own copy for each column.
const LONG_RUN = 64;

/** Closes the gaps that dropped lines left. */
export function sweep(lines: Lines): void {
  const { dropped, count } = lines;
  let kept = dropped.indexOf(1);
  if (kept === -1 || kept >= count) return;
  for (let at = kept; at < count; ) {
    if (dropped[at] === 1) {
      at++;
      continue;
    }
    const end = endOfRun(dropped, at, count);
    if (end - at < LONG_RUN) moveShortRun(lines, kept, at, end);
    else for (const column of columns) lines[column].copyWithin(kept, at, end);
    kept += end - at;
    at = end;
  }
  dropped.fill(0, 0, count);
  lines.count = kept;
}

const columns = ['start', 'end', 'source', 'number', 'clear'] as const;

function endOfRun(dropped: Uint8Array, from: number, count: number): number {
  const near = Math.min(count, from + LONG_RUN);
  for (let at = from; at < near; at++) if (dropped[at] === 1) return at;
  const next = dropped.indexOf(1, near);
  return next === -1 || next > count ? count : next;
}

function moveShortRun({ start, end, source, number, clear }: Lines, to: number, from: number, runEnd: number): void {
  const distance = from - to;
  for (let at = from; at < runEnd; at++) {
    start[at - distance] = start[at]!;
    end[at - distance] = end[at]!;
    source[at - distance] = source[at]!;
    number[at - distance] = number[at]!;
    clear[at - distance] = clear[at]!;
  }
}

function grow(lines: Lines, capacity: number): void {
  for (const column of ['start', 'end', 'source', 'number'] as const) {
    const grown = new Int32Array(capacity);
    grown.set(lines[column].subarray(0, lines.count));
    lines[column] = grown;
  }
  for (const column of ['dropped', 'clear'] as const) {
    const grown = new Uint8Array(capacity);
    grown.set(lines[column].subarray(0, lines.count));
    lines[column] = grown;
  }
}
