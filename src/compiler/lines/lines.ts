import { BLOCK } from './kernels.ts';
import { appendString, decode } from './text.ts';
import type { Workspace } from './workspace.ts';

/**
 * A list of lines as columns over one text. Transformations edit the list they are given: drop lines, move their
 * ends, or give them another text. `sweep` then closes the gaps.
 */
export type Lines = {
  readonly text: Workspace;
  count: number;
  start: Int32Array;
  end: Int32Array;
  /** Which source of the configuration the line came from, and which line of it; 0 for lines we wrote. */
  source: Int32Array;
  number: Int32Array;
  dropped: Uint8Array;
  /**
   * 1 for `||name^` with a name that no check objects to, and that no other line with this mark has. Compress finds
   * out; a change of the line takes the mark.
   */
  clear: Uint8Array;
};

export const createLines = (text: Workspace, capacity = 1024): Lines => ({
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

/** Closes the gaps that dropped lines left. */
export function sweep(lines: Lines): void {
  const { text, dropped, count } = lines;
  const first = dropped.indexOf(1);
  if (first === -1 || first >= count) return;
  lines.count = first;
  for (let from = first; from < count; from += BLOCK) {
    const to = Math.min(from + BLOCK, count);
    text.block.dropped.set(dropped.subarray(from, to));
    for (const column of columns) text.block[column].set(lines[column].subarray(from, to));
    const kept = text.kernels.sweepLines(to - from);
    for (const column of columns) lines[column].set(text.block[column].subarray(0, kept), lines.count);
    lines.count += kept;
  }
  dropped.fill(0, first, count);
}

const columns = ['start', 'end', 'source', 'number', 'clear'] as const;

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
