import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { utf8 } from '../../../test/support/compiler/lines.ts';
import { BLOCK } from './kernels.ts';
import { toStrings } from './lines.ts';
import { readLines } from './read-lines.ts';
import { appendString } from './text.ts';
import { createWorkspace } from './workspace.ts';

/** Each line with its line number in an editor. */
function numbered(list: string): [string, number][] {
  const text = createWorkspace();
  appendString(text, 'of another source\r');
  const lines = readLines(text, utf8(list), 7);
  return toStrings(lines).map((line, at) => [line, lines.number[at]!]);
}

test('any run of line breaks separates two lines, and empty lines are dropped', () => {
  assert.deepEqual(numbered('a\nb\r\nc\rd\n\n\r\ne'), [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['d', 4],
    ['e', 7],
  ]);
});

test('lines of spaces are kept, except at both ends of the list', () => {
  assert.deepEqual(numbered(' \n\n a\n \t\nb \n '), [
    ['a', 3],
    [' \t', 4],
    ['b', 5],
  ]);
});

test('an empty list is one empty line', () => {
  for (const nothing of ['', '\n', ' \r\n\t', '\ufeff'])
    assert.deepEqual(
      numbered(nothing).map(([line]) => line),
      [''],
    );
});

test('a byte order mark is removed only at the start', () => {
  assert.deepEqual(numbered('\ufeffa\n\ufeffb'), [
    ['a', 1],
    ['\ufeffb', 2],
  ]);
});

test('other Unicode line separators do not separate lines', () => {
  assert.deepEqual(numbered('a\u2028b\u0085c\vd\fe'), [['a\u2028b\u0085c\vd\fe', 1]]);
});

test('every line has its source', () => {
  const lines = readLines(createWorkspace(), utf8('a\nb\nc'), 7);
  assert.deepEqual([...lines.source.subarray(0, lines.count)], [7, 7, 7]);
});

/** Reference with strings: split like the original, numbered by counting the breaks above. */
function plainly(list: string): [string, number][] {
  const first = list.length - list.trimStart().length;
  return [...list.trim().matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => {
    const above = list.slice(0, first + index);
    return [line, above.split(/\r\n|\r|\n/).length];
  });
}

test('any text is split like a string, with the line numbers of an editor', () => {
  const piece = fc.constantFrom(
    'a',
    '||b.com^',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    ' ',
    '\t',
    'é',
    '\u2028',
    '\ufeff',
    '\u3000',
    '! x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const list = pieces.join('');
      assert.deepEqual(
        numbered(list).map(([line]) => line),
        list.trim().split(/[\r\n]+/),
      );
      if (list.trim() !== '') assert.deepEqual(numbered(list), plainly(list));
    }),
    { numRuns: 1200 },
  );
});

test('a list of many blocks is read completely', () => {
  const rules = Array.from({ length: 3 * BLOCK }, (_, at) => `||a${at}.com^`);
  const list = rules.join('\r\n\n');
  assert.deepEqual(
    numbered(list),
    rules.map((rule, at) => [rule, 2 * at + 1]),
  );
});

test('a list of any length is read completely, with any line ends', () => {
  const line = fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom('\n', '\r\n', '\r', '\n\n\n', '\r\r\n'));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (lines) => {
      const list = lines.map(([length, end]) => 'x'.repeat(length) + end).join('');
      assert.deepEqual(numbered(list), plainly(list));
    }),
    { numRuns: 80 },
  );
});
