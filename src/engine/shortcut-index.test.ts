import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameOf } from '../../test/support/engine/lists.ts';
import { nameText } from '../kit/wire-name.ts';
import { asciiBytesOf } from '../rules/ascii-bytes.ts';
import { textInMemory } from './list-text.ts';
import { createNameKeys, hashKey, readNameKeys } from './name-keys.ts';
import {
  ALWAYS,
  addShortcut,
  addShortcuts,
  countShortcuts,
  createShortcutFilter,
  firstOfShortcut,
  MAX_SHORTCUTS,
  mayBeInAddress,
  type Part,
  readWords,
  shortcutsOf,
} from './shortcut-index.ts';

const noText = countShortcuts(textInMemory(new Uint8Array()));
const shown = (shortcut: number): string =>
  String.fromCharCode(...[0, 8, 16, 24].map((shift) => (shortcut >> shift) & 0xff));
const anywhere = (text: string): Part => ({ text, startsLabel: false, endsLabel: false });

/** The words of a wire name, and whether it contains bytes that are escaped. */
function wordsOf(name: Uint8Array): { readonly words: readonly number[]; readonly hasEscapes: boolean } {
  const keys = createNameKeys();
  readNameKeys(hashKey(new Uint8Array(8)), name, 0, keys);
  return { words: [...keys.words.subarray(0, keys.wordCount)], hasEscapes: keys.hasEscapes };
}

test('a rule is indexed by the rarest four characters that a matching name contains', () => {
  assert.deepEqual(shortcutsOf([[anywhere('.metrics.'), anywhere('.quux.')]], noText).map(shown), ['\x04quu']);
  const list = textInMemory(new TextEncoder().encode('||quux.com^\n||quux.org^\n||metro.com^'));
  const shortcuts = shortcutsOf([[anywhere('.rics.'), anywhere('.quux.')]], countShortcuts(list));
  assert.deepEqual(shortcuts.map(shown), ['\x04ric'], 'the list tells what is common');
});

test('each alternative has a shortcut, and a rule without one is tried always', () => {
  assert.deepEqual(shortcutsOf([[anywhere('.zz.')], [anywhere('.q.')]], noText).map(shown), ['\x02zz\0', '\x01q\0\0']);
  assert.deepEqual(shortcutsOf([[anywhere('.zz.')], [anywhere('.zz.')]], noText).map(shown), ['\x02zz\0']);
  assert.deepEqual(shortcutsOf([[anywhere('tracker')], [anywhere('ads')]], noText), [ALWAYS]);
  assert.deepEqual(shortcutsOf([], noText), [ALWAYS]);
  assert.deepEqual(shortcutsOf([[]], noText), [ALWAYS]);
});

test('starts and ends of labels are used for shortcuts', () => {
  const shortcuts = (part: Part): readonly string[] => shortcutsOf([[part]], noText).map(shown);
  assert.deepEqual(shortcuts({ text: 'ads', startsLabel: true, endsLabel: true }), ['\x03ads']);
  assert.deepEqual(shortcuts({ text: 'ads', startsLabel: true, endsLabel: false }), ['\0ads']);
  assert.deepEqual(shortcuts({ text: 'a.ads', startsLabel: false, endsLabel: false }), ['\0ads']);
  assert.deepEqual(shortcuts(anywhere('zquux')), ['\0zqu', 'zquu', 'quux', 'uux\0']);
  assert.deepEqual(shortcuts(anywhere('zquuxz')), ['\0zqu', 'zquu', 'quux', 'uuxz']);
});

test('a name that contains a text has one of its shortcuts, at any position', () => {
  const letter = fc.constantFrom('a', 'b', 'c', '-', '.', '1');
  const text = (minLength: number, maxLength: number) => fc.string({ unit: letter, minLength, maxLength });
  fc.assert(
    fc.property(text(0, 9), text(1, 12), text(0, 9), (before, part, behind) => {
      const filter = createShortcutFilter();
      const shortcuts = shortcutsOf([[anywhere(part)]], noText);
      if (shortcuts.includes(ALWAYS)) return;
      for (const shortcut of shortcuts) addShortcut(filter, shortcut);
      const words = new Int32Array(100);
      const found = new Int32Array(MAX_SHORTCUTS);
      const count = addShortcuts(filter, words, readWords(asciiBytesOf(before + part + behind), words), found);
      assert.ok(found.subarray(0, count).some((shortcut) => shortcuts.includes(shortcut)));
    }),
    { numRuns: 2000 },
  );
});

test('the words of a name are those of its text, unless it has escaped bytes', () => {
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
      const count = readWords(asciiBytesOf(nameText(bytes, 0).toLowerCase()), words);
      assert.equal(
        found.hasEscapes,
        labels.some((each) => !/^[\w-]*$/.test(each)),
      );
      if (!found.hasEscapes) assert.deepEqual(Int32Array.from(found.words).sort(), words.slice(0, count).sort());
    }),
    { numRuns: 2000 },
  );
  assert.equal(wordsOf(nameOf('www.example-1.com')).hasEscapes, false);
});

test('the first of equal shortcuts is found in a sorted table', () => {
  const row = Int32Array.of(0, 7, 5, 1, 5, 2, 9, 3);
  assert.deepEqual(
    [0, 1, 5, 9, 10].map((shortcut) => firstOfShortcut(row, shortcut)),
    [0, 1, 1, 3, 4],
  );
  assert.equal(firstOfShortcut(new Int32Array(), 5), 0);
});

test('only digits, letters up to f, dots and colons occur in an address', () => {
  const shortcuts = ['.1.', '.db8.', '.ads.', '.face.'].map((text) => shortcutsOf([[anywhere(text)]], noText)[0]!);
  assert.deepEqual([...shortcuts, ALWAYS].map(mayBeInAddress), [true, true, false, true, true]);
});
