import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALWAYS,
  addGram,
  countGrams,
  createGramFilter,
  firstOfGram,
  gramsOf,
  mayBeInAddress,
  visitGrams,
} from './grams.ts';
import { nameOf } from './lists-for-tests.ts';
import { createNameLetters, readNameLetters } from './name-letters.ts';

const noText = countGrams(new Uint8Array());
const text = (gram: number): string => String.fromCharCode(...[0, 8, 16, 24].map((shift) => (gram >> shift) & 0xff));

test('a rule is known by the rarest four letters that a name must hold for it', () => {
  assert.deepEqual(gramsOf([['metrics.', '.quux.com']], noText).map(text), ['quux']);
  const list = new TextEncoder().encode('||quux.com^\n||quux.org^\n||metro.com^');
  assert.equal(
    gramsOf([['rics.', '.quux']], countGrams(list))
      .map(text)
      .includes('quux'),
    false,
    'the list tells what is common',
  );
});

test('each alternative has its own, and a rule that may lack any is tried always', () => {
  assert.deepEqual(gramsOf([['tracker'], ['zzzz']], noText).map(text), ['rack', 'zzzz']);
  assert.deepEqual(gramsOf([['zzzz'], ['zzzz.']], noText).map(text), ['zzzz']);
  assert.deepEqual(gramsOf([['tracker'], ['ads']], noText), [ALWAYS]);
  assert.deepEqual(gramsOf([], noText), [ALWAYS]);
  assert.deepEqual(gramsOf([[]], noText), [ALWAYS]);
});

test('a walk over a name meets the letters wherever they stand', () => {
  const filter = createGramFilter();
  const [gram] = gramsOf([['quux']], noText);
  addGram(filter, gram!);
  const met = (name: string): number => {
    const letters = createNameLetters();
    readNameLetters(nameOf(name), 0, letters);
    let count = 0;
    visitGrams(filter, letters, (each) => {
      count += each === gram ? 1 : 0;
    });
    return count;
  };
  assert.deepEqual(['quux', 'QUUX.com', 'a.quux', 'aquuxquux', 'quu.x', 'qux', 'q'].map(met), [1, 1, 1, 2, 0, 0, 0]);
});

test('the first of equal grams is found in a sorted row', () => {
  const row = Int32Array.of(0, 7, 5, 1, 5, 2, 9, 3);
  assert.deepEqual(
    [0, 1, 5, 9, 10].map((gram) => firstOfGram(row, gram)),
    [0, 1, 1, 3, 4],
  );
  assert.equal(firstOfGram(new Int32Array(), 5), 0);
});

test('only digits, letters up to f, dots and colons stand in an address', () => {
  const grams = ['1.2.', ':db8', 'ads.', 'face'].map((letters) => gramsOf([[letters]], noText)[0]!);
  assert.deepEqual([...grams, ALWAYS].map(mayBeInAddress), [true, true, false, true, true]);
});
