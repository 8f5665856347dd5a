import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseName } from './name.ts';

const names: readonly (readonly [what: string, given: string, kept: string | undefined])[] = [
  ['spaces around a name are not part of it', '  My phone ', 'My phone'],
  ['64 characters are enough for a name, whatever they are', '\u{1f4f1}'.repeat(64), '\u{1f4f1}'.repeat(64)],
  ['65 are too many', 'a'.repeat(65), undefined],
  ['a name of spaces is none', '   ', undefined],
  ['accents are kept in one form', 'Cafe\u0301', 'Caf\u00e9'],
  ['line breaks are refused', 'a\nb', undefined],
  ['characters that turn the direction of the text are refused', 'a\u202eb', undefined],
  ['half a character is refused', 'a\ud800', undefined],
  ['markup is only text', '<script>', '<script>'],
];
for (const [what, given, kept] of names) {
  test(what, () => {
    assert.equal(parseName(given), kept);
  });
}
