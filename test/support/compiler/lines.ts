import assert from 'node:assert/strict';
import { addString, createLines, type Lines } from '../../../src/compiler/lines/lines.ts';
import { createWorkspace } from '../../../src/compiler/lines/workspace.ts';

/** A list over its own text, numbered from 1; small enough that both must grow. */
export function linesOf(texts: readonly string[], source = 0): Lines {
  const lines = createLines(createWorkspace(), 1);
  for (const [at, text] of texts.entries()) addString(lines, text, source, at + 1);
  return lines;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// Bytes around a line must not influence the result, even if they would fit.
const surroundings = [
  ['', ''],
  ['\n', '\n'],
  ['||a.', '^|'],
  ['1.2.3.4 ', '.com# x'],
  ['\u00a0!# ', ' \u00a0$,'],
].map(([before, behind]) => ({ before: utf8(before!), behind: utf8(behind!) }));

/** Result of a byte-level check, independent of the line's position. Offsets count from its start. */
export function look<Answer>(line: string, at: (bytes: Uint8Array, start: number, end: number) => Answer): Answer {
  const own = utf8(line);
  const [answer, ...others] = surroundings.map(({ before, behind }) => {
    const start = before.length;
    const end = start + own.length;
    const bytes = new Uint8Array(end + behind.length);
    bytes.set(before);
    bytes.set(own, start);
    bytes.set(behind, end);
    return at(bytes, start, end);
  });
  for (const other of others) {
    if (other !== answer) assert.deepEqual(other, answer, `${JSON.stringify(line)} is judged by its neighbours`);
  }
  return answer as Answer;
}
