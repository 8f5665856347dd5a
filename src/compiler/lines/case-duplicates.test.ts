import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../test/support/compiler/lines.ts';
import { countCaseDuplicates } from './case-duplicates.ts';

const duplicates = (rules: readonly string[]): number => countCaseDuplicates(linesOf(rules));

test('a rule that occurs with and without capitals is counted', () => {
  assert.equal(duplicates(['||ads.example.com^', '||Ads.example.com^', '||other.example.com^']), 1);
  assert.equal(duplicates(['||ADS.example.com^', '||ads.example.com^', '||Ads.example.com^']), 2);
});

test('a rule that occurs only with capitals is not counted', () => {
  assert.equal(duplicates(['||Ads.example.com^', '||bds.example.com^']), 0);
  assert.equal(duplicates(['||ads.example.com^', '||ads.example.com^']), 0);
});

test('comments are not treated as rules', () => {
  assert.equal(duplicates(['! Comment of a list', '! comment of a list']), 0);
});

test('capitals are detected at any position of a rule', () => {
  const name = 'abcdefghijklmnopqrstuvwxyz';
  for (let at = 0; at < name.length; at++) {
    const capital = name.slice(0, at) + name[at]!.toUpperCase() + name.slice(at + 1);
    assert.equal(duplicates([name, capital, 'another']), 1, capital);
  }
});

test('case duplicates are counted as with a table of lower-case rules', () => {
  const rule = fc
    .string({ unit: fc.constantFrom('a', 'A', 'b', 'B'), minLength: 3, maxLength: 6 })
    .map((name) => `||${name}^`);
  fc.assert(
    fc.property(fc.uniqueArray(rule, { maxLength: 30, size: 'max' }), (rules) => {
      const lower = new Set(rules.filter((text) => text === text.toLowerCase()));
      const expected = rules.filter((text) => text !== text.toLowerCase() && lower.has(text.toLowerCase()));
      assert.equal(duplicates(rules), expected.length);
    }),
    { numRuns: 800 },
  );
});
