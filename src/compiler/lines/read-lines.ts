import { skipBlanks, skipBlanksBack } from './line-kind.ts';
import { addLine, createLines, type Lines, reserveLines } from './lines.ts';
import { append } from './text.ts';
import type { Workspace } from './workspace.ts';

// Generous estimate, because unused memory costs nothing; lists with shorter lines grow.
const SHORT_LINE_BYTES = 12;

/**
 * Splits a list into lines: trims the whole text and splits at any run of CR and LF, which drops empty lines. Empty text is
 * one empty line. Line numbers are those of an editor.
 */
export function readLines(text: Workspace, list: Uint8Array, source: number): Lines {
  const { kernels } = text;
  const base = append(text, list);
  const start = skipBlanks(text.bytes, base, text.length);
  const end = skipBlanksBack(text.bytes, start, text.length);
  const lines = createLines(text, Math.ceil((end - start) / SHORT_LINE_BYTES) + 1);
  const firstNumber = 1 + kernels.countBreaks(base, start);
  if (start === end) addLine(lines, start, end, source, firstNumber);
  kernels.beginLines(start, end, firstNumber);
  for (let count = kernels.splitLines(); count > 0; count = kernels.splitLines()) {
    reserveLines(lines, count);
    for (const column of columns) lines[column].set(text.block[column].subarray(0, count), lines.count);
    lines.count += count;
  }
  lines.source.fill(source, 0, lines.count);
  return lines;
}

const columns = ['start', 'end', 'number'] as const;
