import assert from 'node:assert/strict';
import { addString, createLines, type Lines } from './lines.ts';
import { createWorkspace } from './workspace.ts';

/** A list over a text of its own, numbered from 1; both have to grow on the way. */
export function linesOf(texts: readonly string[], source = 0): Lines {
  const lines = createLines(createWorkspace(), 1);
  for (const [at, text] of texts.entries()) addString(lines, text, source, at + 1);
  return lines;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// What stands before and behind a line is none of its business, however well it would fit.
const surroundings = [
  ['', ''],
  ['\n', '\n'],
  ['||a.', '^|'],
  ['1.2.3.4 ', '.com# x'],
  ['\u00a0!# ', ' \u00a0$,'],
].map(([before, behind]) => ({ before: utf8(before!), behind: utf8(behind!) }));

/** What is said of a line by its bytes: the same, wherever the line stands. Offsets must be told from its start. */
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
