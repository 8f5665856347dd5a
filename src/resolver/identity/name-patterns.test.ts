import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namePatterns } from './name-patterns.ts';

const tableOf = (...patterns: readonly string[]) => {
  const table = namePatterns<string>();
  for (const pattern of patterns) table.set(pattern, pattern);
  return table;
};

const cases: readonly (readonly [pattern: string, name: string, isMatch: boolean])[] = [
  ['*.kids.lan', 'tablet.kids.lan', true],
  ['*.kids.lan', 'a.b.kids.lan', true],
  ['*.kids.lan', 'kids.lan', false],
  ['iphone-*', 'iphone-anna', true],
  ['iphone-*', 'iphone-', true],
  ['iphone-*', 'my-iphone-anna', false],
  ['a*b*c', 'abbbcbc', true],
  ['a*b*c', 'abbbcb', false],
  ['*', 'x', true],
];
for (const [pattern, name, isMatch] of cases)
  test(`${pattern} ${isMatch ? 'matches' : 'does not match'} ${name}`, () => {
    assert.deepEqual(tableOf(pattern).find([name]), isMatch ? [pattern] : []);
  });

test('the pattern with the most literal characters comes first, for any matching name', () => {
  const table = tableOf('*', 'iphone-*', '*.kids.lan', 'iphone-a*');
  assert.deepEqual(table.find(['iphone-anna.kids.lan', 'iphone-anna']), ['*.kids.lan', 'iphone-a*', 'iphone-*', '*']);
});

test('a changed table is compared again', () => {
  const table = tableOf('tv-*');
  const names = ['tv-1'];
  assert.deepEqual(table.find(names), ['tv-*']);
  table.set('tv*', 'other');
  assert.deepEqual(table.find(names), ['tv-*', 'other']);
  table.delete('tv-*', 'tv-*');
  table.delete('tv*', 'not its value');
  assert.deepEqual(table.find(names), ['other']);
});

test('a pattern matches as the expression with the same meaning does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(text, name, (pattern, host) => {
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(host);
      assert.equal(tableOf(pattern).find([host]).length === 1, expected);
    }),
  );
});
