import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, fileSize, plural, shorten } from './number-text.ts';

test('thousands are separated by commas', () => {
  assert.deepEqual([0, 7, 999, 1000, 12345, 1234567].map(count), ['0', '7', '999', '1,000', '12,345', '1,234,567']);
});

test('sizes are shown in the unit that needs the fewest digits', () => {
  assert.deepEqual([0, 1, 999, 1000, 1500, 999_900, 1_000_000, 5_460_000, 1e9, 5e12].map(fileSize), [
    '0 B',
    '1 B',
    '999 B',
    '1.0 kB',
    '1.5 kB',
    '999.9 kB',
    '1.0 MB',
    '5.5 MB',
    '1.0 GB',
    '5000.0 GB',
  ]);
});

test('a size that rounds up to a thousand uses the next unit', () => {
  assert.equal(fileSize(999_999), '1.0 MB');
});

test('one is singular, all other numbers are plural', () => {
  assert.deepEqual(
    [0, 1, 2, 1000].map((number) => plural(number, 'rule')),
    ['0 rules', '1 rule', '2 rules', '1,000 rules'],
  );
});

test('a text that fits is unchanged, and a longer one is shortened in the middle', () => {
  assert.equal(shorten('https://example.org', 19), 'https://example.org');
  assert.equal(shorten('https://lists.example.org/ads.txt', 20), 'https://li…g/ads.txt');
});

test('the result fits for any text and width', () => {
  for (const text of ['', 'a', 'abcdefghij'.repeat(5)]) {
    for (let width = 0; width < 60; width++) assert.ok(shorten(text, width).length <= width, `${width}: ${text}`);
  }
});

test('line breaks and tabs become spaces, so that the result is one line', () => {
  assert.equal(shorten('||a^\n||b^\r\n\t||c^', 80), '||a^ ||b^ ||c^');
});
