import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../test/support/compiler/lines.ts';
import { BLOCK } from './kernels.ts';
import { addLines, addString, compact, createLines, lineText, replaceLine, reserveLines, toStrings } from './lines.ts';
import { createWorkspace } from './workspace.ts';

test('any number of lines is returned as added', () => {
  const texts = Array.from({ length: 5000 }, (_, at) => `||a${at}.com^`);
  assert.deepEqual(toStrings(linesOf(texts)), texts);
  assert.deepEqual(toStrings(linesOf([])), []);
});

test('a line has its source and line number', () => {
  const lines = createLines(createWorkspace(), 1);
  addString(lines, 'a', 3, 17);
  addString(lines, 'b');
  assert.deepEqual([lines.source[0], lines.number[0]], [3, 17]);
  assert.deepEqual([lines.source[1], lines.number[1]], [0, 0]);
});

test('a replaced line keeps its index, source and number', () => {
  const lines = linesOf(['a', 'b', 'c'], 2);
  replaceLine(lines, 1, 'something longer');
  assert.deepEqual(toStrings(lines), ['a', 'something longer', 'c']);
  assert.deepEqual([lines.source[1], lines.number[1]], [2, 2]);
});

test('a changed line and a new line are not marked as normalised', () => {
  const lines = linesOf(['||a.com^', '||b.com^', '||c.com^']);
  lines.clear.fill(1);
  replaceLine(lines, 1, '@@||b.com^');
  lines.dropped[0] = 1;
  compact(lines);
  addString(lines, '||d.com^');
  assert.deepEqual([...lines.clear.subarray(0, lines.count)], [0, 1, 0]);
});

test('an appended list keeps its sources and numbers', () => {
  const text = createWorkspace();
  const [first, second] = [createLines(text, 1), createLines(text, 1)];
  addString(first, 'a', 0, 1);
  addString(second, 'b', 1, 1);
  addString(second, 'c', 1, 2);
  addLines(first, second);
  assert.deepEqual(toStrings(first), ['a', 'b', 'c']);
  assert.deepEqual([...first.source.subarray(0, 3)], [0, 1, 1]);
  assert.deepEqual([...first.number.subarray(0, 3)], [1, 1, 2]);
});

test('space for lines can be reserved and is empty', () => {
  const lines = linesOf(['a']);
  reserveLines(lines, 100);
  assert.ok(lines.start.length >= 101);
  assert.deepEqual(toStrings(lines), ['a']);
});

test('compacting removes dropped lines and keeps all others unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.boolean())), (wanted) => {
      const lines = linesOf(wanted.map(([text]) => text));
      for (const [at, [, isDropped]] of wanted.entries()) {
        lines.dropped[at] = isDropped ? 1 : 0;
        lines.source[at] = at % 3;
      }
      compact(lines);
      const kept = [...wanted.entries()].filter(([, [, isDropped]]) => !isDropped);
      assert.deepEqual(
        Array.from({ length: lines.count }, (_, at) => [lineText(lines, at), lines.number[at], lines.source[at]]),
        kept.map(([at, [text]]) => [text, at + 1, at % 3]),
      );
    }),
    { numRuns: 1000 },
  );
});

test('compacting works with many blocks', () => {
  const texts = Array.from({ length: 3 * BLOCK }, (_, at) => `||a${at}.com^`);
  const lines = linesOf(texts);
  for (const at of texts.keys()) if (at > 10 && at % 3 === 0) lines.dropped[at] = 1;
  compact(lines);
  assert.deepEqual(
    toStrings(lines),
    texts.filter((_, at) => at <= 10 || at % 3 !== 0),
  );
});

test('compacting clears the marks of dropped lines', () => {
  const lines = linesOf(['a', 'b', 'c', 'd']);
  lines.dropped[0] = 1;
  lines.dropped[2] = 1;
  compact(lines);
  compact(lines);
  addString(lines, 'e');
  compact(lines);
  assert.deepEqual(toStrings(lines), ['b', 'd', 'e']);
});
