import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameOf } from '../../test/support/engine/lists.ts';
import { nameText } from '../kit/wire-name.ts';
import { lettersOf } from '../rules/ascii-bytes.ts';
import { textInMemory } from './list-text.ts';
import { createNameKeys, hashKey, readNameKeys } from './name-keys.ts';
import {
  ALWAYS,
  addGram,
  countGrams,
  createGramFilter,
  firstOfGram,
  gramsOf,
  MAX_MET,
  mayBeInAddress,
  meetGrams,
  type Part,
  readWords,
} from './shortcut-index.ts';

const noText = countGrams(textInMemory(new Uint8Array()));
const shown = (gram: number): string => String.fromCharCode(...[0, 8, 16, 24].map((shift) => (gram >> shift) & 0xff));
const anywhere = (text: string): Part => ({ text, startsLabel: false, endsLabel: false });

/** The words of a name as it stands on the wire, and whether it has odd letters. */
function wordsOf(name: Uint8Array): { readonly words: readonly number[]; readonly isOdd: boolean } {
  const keys = createNameKeys();
  readNameKeys(hashKey(new Uint8Array(8)), name, 0, keys);
  return { words: [...keys.words.subarray(0, keys.wordCount)], isOdd: keys.isOdd };
}

test('a rule is known by the rarest four letters that a name must hold for it', () => {
  assert.deepEqual(gramsOf([[anywhere('.metrics.'), anywhere('.quux.')]], noText).map(shown), ['\x04quu']);
  const list = textInMemory(new TextEncoder().encode('||quux.com^\n||quux.org^\n||metro.com^'));
  const grams = gramsOf([[anywhere('.rics.'), anywhere('.quux.')]], countGrams(list));
  assert.deepEqual(grams.map(shown), ['\x04ric'], 'the list tells what is common');
});

test('each alternative has its own, and a rule that may lack any is tried always', () => {
  assert.deepEqual(gramsOf([[anywhere('.zz.')], [anywhere('.q.')]], noText).map(shown), ['\x02zz\0', '\x01q\0\0']);
  assert.deepEqual(gramsOf([[anywhere('.zz.')], [anywhere('.zz.')]], noText).map(shown), ['\x02zz\0']);
  assert.deepEqual(gramsOf([[anywhere('tracker')], [anywhere('ads')]], noText), [ALWAYS]);
  assert.deepEqual(gramsOf([], noText), [ALWAYS]);
  assert.deepEqual(gramsOf([[]], noText), [ALWAYS]);
});

test('where a label begins or ends is made use of', () => {
  const grams = (part: Part): readonly string[] => gramsOf([[part]], noText).map(shown);
  assert.deepEqual(grams({ text: 'ads', startsLabel: true, endsLabel: true }), ['\x03ads']);
  assert.deepEqual(grams({ text: 'ads', startsLabel: true, endsLabel: false }), ['\0ads']);
  assert.deepEqual(grams({ text: 'a.ads', startsLabel: false, endsLabel: false }), ['\0ads']);
  assert.deepEqual(grams(anywhere('zquux')), ['\0zqu', 'zquu', 'quux', 'uux\0']);
  assert.deepEqual(grams(anywhere('zquuxz')), ['\0zqu', 'zquu', 'quux', 'uuxz']);
});

test('a name that holds a text has one of its grams, wherever the text stands', () => {
  const letter = fc.constantFrom('a', 'b', 'c', '-', '.', '1');
  const text = (minLength: number, maxLength: number) => fc.string({ unit: letter, minLength, maxLength });
  fc.assert(
    fc.property(text(0, 9), text(1, 12), text(0, 9), (before, part, behind) => {
      const filter = createGramFilter();
      const grams = gramsOf([[anywhere(part)]], noText);
      if (grams.includes(ALWAYS)) return;
      for (const gram of grams) addGram(filter, gram);
      const words = new Int32Array(100);
      const met = new Int32Array(MAX_MET);
      const count = meetGrams(filter, words, readWords(lettersOf(before + part + behind), words), met);
      assert.ok(met.subarray(0, count).some((gram) => grams.includes(gram)));
    }),
    { numRuns: 2000 },
  );
});

test('the words of a name are those of its text, unless it has letters that are written in several', () => {
  const words = new Int32Array(2000);
  const label = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '_', 'x'), minLength: 1, maxLength: 63 }),
    fc.string({ unit: fc.constantFrom('a', '.', '\\', '\0', '\x7f', '\xff', '!', ' '), minLength: 1, maxLength: 9 }),
  );
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const bytes = Buffer.from(
        `${labels.map((each) => String.fromCharCode(each.length) + each).join('')}\0`,
        'latin1',
      );
      if (bytes.length > 255) return;
      const found = wordsOf(bytes);
      const count = readWords(lettersOf(nameText(bytes, 0).toLowerCase()), words);
      assert.equal(
        found.isOdd,
        labels.some((each) => !/^[\w-]*$/.test(each)),
      );
      if (!found.isOdd) assert.deepEqual(Int32Array.from(found.words).sort(), words.slice(0, count).sort());
    }),
    { numRuns: 2000 },
  );
  assert.equal(wordsOf(nameOf('www.example-1.com')).isOdd, false);
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
  const grams = ['.1.', '.db8.', '.ads.', '.face.'].map((text) => gramsOf([[anywhere(text)]], noText)[0]!);
  assert.deepEqual([...grams, ALWAYS].map(mayBeInAddress), [true, true, false, true, true]);
});
