import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf } from '../../../test/support/compiler/lines.ts';
import { countCaseDuplicates } from './case-duplicates.ts';

const duplicates = (rules: readonly string[]): number => countCaseDuplicates(linesOf(rules));

test('a rule with capitals that stands in lower case, too, is counted', () => {
  assert.equal(duplicates(['||ads.example.com^', '||Ads.example.com^', '||other.example.com^']), 1);
  assert.equal(duplicates(['||ADS.example.com^', '||ads.example.com^', '||Ads.example.com^']), 2);
});

test('a rule with capitals alone has no twin', () => {
  assert.equal(duplicates(['||Ads.example.com^', '||bds.example.com^']), 0);
  assert.equal(duplicates(['||ads.example.com^', '||ads.example.com^']), 0);
});

test('comments are not treated as rules', () => {
  assert.equal(duplicates(['! Comment of a list', '! comment of a list']), 0);
});

test('capitals count wherever they stand in a rule', () => {
  const name = 'abcdefghijklmnopqrstuvwxyz';
  for (let at = 0; at < name.length; at++) {
    const capital = name.slice(0, at) + name[at]!.toUpperCase() + name.slice(at + 1);
    assert.equal(duplicates([name, capital, 'another']), 1, capital);
  }
});

test('twins are counted as a table of lower-case rules would count them', () => {
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
