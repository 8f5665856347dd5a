import { BLOCK } from './kernels.ts';
import { appendString, decode } from './text.ts';
import type { Workspace } from './workspace.ts';

/**
 * A list of lines as columns over one text. Transformations edit it in place: drop lines, move their bounds or replace
 * their text. `compact` then removes the dropped lines.
 */
export type Lines = {
  readonly text: Workspace;
  count: number;
  start: Int32Array;
  end: Int32Array;
  /** Source index and line number; 0 for generated lines. */
  source: Int32Array;
  number: Int32Array;
  dropped: Uint8Array;
  /**
   * 1 for a valid, unique `||name^`: no later step needs to examine the line. Set by Compress, cleared when the line
   * changes.
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

/** Reserves space for more lines. References to columns must be read again afterwards. */
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

/** Replaces the text of a line. */
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

/** Appends a list over the same text. */
export function addLines(lines: Lines, more: Lines): void {
  reserveLines(lines, more.count);
  for (const column of ['start', 'end', 'source', 'number'] as const) {
    lines[column].set(more[column].subarray(0, more.count), lines.count);
  }
  // Cleared, because a line that is unique in its list may be a duplicate in the combined list.
  lines.clear.fill(0, lines.count, lines.count + more.count);
  lines.count += more.count;
}

/** Removes dropped lines from the columns. */
export function compact(lines: Lines): void {
  const { text, dropped, count } = lines;
  const first = dropped.indexOf(1);
  if (first === -1 || first >= count) return;
  lines.count = first;
  for (let from = first; from < count; from += BLOCK) {
    const to = Math.min(from + BLOCK, count);
    text.block.dropped.set(dropped.subarray(from, to));
    for (const column of columns) text.block[column].set(lines[column].subarray(from, to));
    const keptCount = text.kernels.compactLines(to - from);
    for (const column of columns) lines[column].set(text.block[column].subarray(0, keptCount), lines.count);
    lines.count += keptCount;
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
