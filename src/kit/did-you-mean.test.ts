import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { didYouMean } from './did-you-mean.ts';

test('a typing error finds the similar word', () => {
  const names = ['transformations', 'exclusions', 'inclusions'];
  assert.equal(didYouMean('transformation', names), 'transformations');
  assert.equal(didYouMean('exlcusions', names), 'exclusions');
  assert.equal(didYouMean('inclusion', names), 'inclusions');
});

test('case is ignored', () => {
  assert.equal(didYouMean('COMPRESS', ['Validate', 'Compress']), 'Compress');
  assert.equal(didYouMean('abc', ['XYZ', 'ABC']), 'ABC');
});

test('the most similar word is returned, and the first of equally similar ones', () => {
  assert.equal(didYouMean('abcdef', ['abcdxy', 'abcdex']), 'abcdex');
  assert.equal(didYouMean('abcdef', ['abcdex', 'abcdxy']), 'abcdex');
  assert.equal(didYouMean('abc', ['abd', 'abe']), 'abd');
});

test('a short text may have two errors, a long one a third of its length', () => {
  assert.equal(didYouMean('abc', ['abxy']), 'abxy');
  assert.equal(didYouMean('abc', ['axyz']), undefined);
  assert.equal(didYouMean('abcdefghijkl', ['abcdefghWXYZ']), 'abcdefghWXYZ');
  assert.equal(didYouMean('abcdefghijkl', ['abcdefgVWXYZ']), undefined);
});

test('an empty list has no similar word', () => {
  assert.equal(didYouMean('abc', []), undefined);
});

/** Edit distance by trying all insertions, deletions and replacements. */
function slips(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  if (a[0] === b[0]) return slips(a.slice(1), b.slice(1));
  return 1 + Math.min(slips(a.slice(1), b), slips(a, b.slice(1)), slips(a.slice(1), b.slice(1)));
}

test('the returned word is the most similar one, and undefined means that none is similar', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 4 }), (text, names) => {
      const best = Math.min(...names.map((name) => slips(text, name)));
      assert.equal(didYouMean(text, names), best <= 2 ? names.find((name) => slips(text, name) === best) : undefined);
    }),
    { numRuns: 2000 },
  );
});
