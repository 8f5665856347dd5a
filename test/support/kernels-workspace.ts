import { pick } from '../../src/compiler/lines/blocks.ts';
import type { PrefilterName } from '../../src/compiler/lines/kernels.ts';
import { addLine, addString, createLines, type Lines } from '../../src/compiler/lines/lines.ts';
import { append } from '../../src/compiler/lines/text.ts';
import { createWorkspace, enterSuffixes } from '../../src/compiler/lines/workspace.ts';
import { look } from './compiler/lines.ts';

// Shared by all tests: creating one takes longer than using it.
const workspace = createWorkspace();
enterSuffixes(workspace);
const beginning = workspace.length;

export function linesInWorkspace(texts: readonly string[]): Lines {
  workspace.length = beginning;
  const lines = createLines(workspace, texts.length);
  for (const [at, text] of texts.entries()) addString(lines, text, 0, at + 1);
  return lines;
}

/** Result for a single line, independent of its surroundings. */
export const lookAtLine = <Answer>(line: string, ask: (lines: Lines) => Answer): Answer =>
  look(line, (bytes, start, end) => {
    workspace.length = beginning;
    const lines = createLines(workspace, 1);
    const offset = append(workspace, bytes);
    addLine(lines, offset + start, offset + end, 0, 1);
    return ask(lines);
  });

export const isPicked = (line: string, prefilter: PrefilterName): boolean =>
  lookAtLine(line, (lines) => pick(lines, prefilter).length === 1);
