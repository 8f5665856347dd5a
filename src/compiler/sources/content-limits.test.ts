import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8 } from '../../../test/support/compiler/lines.ts';
import { countLines, dropLongLines, isBlankText } from './content-limits.ts';

function shortened(text: string, maxBytes: number): [string, number] {
  const { bytes, dropped } = dropLongLines(utf8(text), maxBytes);
  return [new TextDecoder().decode(bytes), dropped];
}

test('a line at the limit is kept, a longer one is removed, and its line break remains', () => {
  assert.deepEqual(shortened('a\n1234\nb', 4), ['a\n1234\nb', 0]);
  assert.deepEqual(shortened('a\n12345\nb', 4), ['a\n\nb', 1]);
});

test('long lines are found at the beginning, at the end and consecutively', () => {
  assert.deepEqual(shortened('12345\na', 4), ['\na', 1]);
  assert.deepEqual(shortened('a\n12345', 4), ['a\n', 1]);
  assert.deepEqual(shortened('12345\r\n12345\r12345', 4), ['\r\n\r', 3]);
  assert.deepEqual(shortened('12345', 4), ['', 1]);
  assert.deepEqual(shortened('', 4), ['', 0]);
});

test('length is in bytes, and any line break ends a line', () => {
  assert.deepEqual(shortened('éé\rééa', 4), ['éé\r', 1]);
});

test('the position of long lines does not matter', () => {
  // Every text of up to seven of these pieces, compared with a simple implementation.
  const pieces = ['\n', 'ab', 'abcd'];
  for (let code = 0; code < 3 ** 7; code++) {
    const text = Array.from({ length: 7 }, (_, at) => pieces[Math.floor(code / 3 ** at) % 3]).join('');
    const lines = text.split('\n');
    const expected = lines.map((line) => (line.length > 5 ? '' : line)).join('\n');
    assert.deepEqual(shortened(text, 5), [expected, lines.filter((line) => line.length > 5).length], text);
  }
});

test('a text without long lines is not copied', () => {
  const bytes = utf8('a\nb');
  assert.equal(dropLongLines(bytes, 1).bytes, bytes);
});

test('lines that are not empty are counted', () => {
  for (const [text, count] of [
    ['', 0],
    ['\n\r\n', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\r\n\r\n \rb', 3],
  ] as const) {
    assert.equal(countLines(utf8(text)), count, JSON.stringify(text));
  }
});

test('white space counts as blank, also after a byte order mark', () => {
  for (const text of ['', ' \t\r\n', '\ufeff', '\ufeff\n']) assert.ok(isBlankText(utf8(text)));
  for (const text of ['a', '\n!', '\ufeff.', 'é']) assert.ok(!isBlankText(utf8(text)));
});
