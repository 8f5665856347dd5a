import type { DroppedRule, Overlap, Step } from './journal.ts';
import { type Lines, toStrings } from './lines/lines.ts';
import type { Format, RuleKind } from './lines/rule-kinds.ts';

export type SourceReport = {
  readonly source: string;
  /** What to call it where people read. */
  readonly name: string;
  readonly outcome: 'read' | 'stale' | 'skipped';
  readonly error?: string;
  readonly format: Format;
  readonly bytes: number;
  /** Lines read, and lines of it that stand in the list. */
  readonly lines: number;
  readonly kept: number;
};

export type StepReport = {
  readonly step: Step;
  /** The source it ran on; undefined for the whole list. */
  readonly source: number | undefined;
  readonly before: number;
  readonly after: number;
};

export type Report = {
  readonly sources: readonly SourceReport[];
  readonly steps: readonly StepReport[];
  readonly kinds: Readonly<Record<RuleKind, number>>;
  readonly overlaps: readonly Overlap[];
  readonly unusedPatterns: readonly { readonly where: string; readonly pattern: string }[];
  readonly warnings: readonly string[];
};

export type CompiledList = {
  readonly header: readonly string[];
  readonly lines: Lines;
  /** The list as a file: header and lines joined by line breaks. */
  readonly bytes: Uint8Array;
  readonly report: Report;
  /** Every rule that was dropped; empty unless explanations were asked for. */
  readonly dropped: readonly DroppedRule[];
};

export const listStrings = ({ header, lines }: CompiledList): string[] => [...header, ...toStrings(lines)];

const LF = 0x0a;

export function toFile(header: readonly string[], lines: Lines): Uint8Array {
  const head = new TextEncoder().encode(header.join('\n'));
  const { text, start, end, count } = lines;
  let length = head.length + count;
  for (let at = 0; at < count; at++) length += end[at]! - start[at]!;
  const file = new Uint8Array(length);
  file.set(head);
  copyLines(text.bytes, start, end, count, file, head.length);
  return file;
}

/** Copies runs of lines that stand in the text as they will in the file: one behind the other, with a line break between. */
function copyLines(
  bytes: Uint8Array,
  start: Int32Array,
  end: Int32Array,
  count: number,
  file: Uint8Array,
  from: number,
): void {
  let to = from;
  for (let at = 0; at < count; ) {
    const runStart = start[at]!;
    let runEnd = end[at++]!;
    while (at < count && start[at] === runEnd + 1 && bytes[runEnd] === LF) runEnd = end[at++]!;
    file[to++] = LF;
    copyBytes(bytes, runStart, runEnd, file, to);
    to += runEnd - runStart;
  }
}

// To call the engine's own copy costs as much as to copy so many bytes one by one.
const WORTH_A_CALL = 64;

function copyBytes(bytes: Uint8Array, start: number, end: number, file: Uint8Array, to: number): void {
  if (end - start >= WORTH_A_CALL) file.set(bytes.subarray(start, end), to);
  else for (let at = start; at < end; at++) file[to + at - start] = bytes[at]!;
}
