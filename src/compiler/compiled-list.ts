import type { DroppedRule, Overlap, Step } from './drop-log.ts';
import { eachBlock } from './lines/blocks.ts';
import { type Lines, toStrings } from './lines/lines.ts';
import type { Format, RuleKind } from './lines/rule-kinds.ts';
import { appendString, reserve } from './lines/text.ts';

export type SourceReport = {
  readonly source: string;
  /** Display name. */
  readonly name: string;
  readonly outcome: 'read' | 'stale' | 'skipped';
  readonly error?: string;
  readonly format: Format;
  readonly bytes: number;
  /** Lines read, and lines that ended up in the list. */
  readonly lines: number;
  readonly kept: number;
};

export type StepReport = {
  readonly step: Step;
  /** Index of the source, or undefined for the whole list. */
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
  /** The file: header and lines joined by line breaks. */
  readonly bytes: Uint8Array;
  readonly report: Report;
  /** Dropped rules; empty unless explanations were requested. */
  readonly dropped: readonly DroppedRule[];
};

export const listStrings = ({ header, lines }: CompiledList): string[] => [...header, ...toStrings(lines)];

/** Joins header and lines into a file. */
export function toFile(header: readonly string[], lines: Lines): Uint8Array {
  const { text } = lines;
  const start = appendString(text, header.join('\n'));
  eachBlock(lines, ({ kernels }, _, count) => {
    reserve(text, kernels.totalLength(count) + count);
    text.length = kernels.writeLines(count, text.length);
  });
  const file = text.bytes.slice(start, text.length);
  text.length = start;
  return file;
}
