import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { look } from '../../../test/support/compiler/lines.ts';
import { isAllowRule, isAnnotation, isBlank, isComment, skipBlanks, skipBlanksBack } from './line-kind.ts';
import { decode } from './text.ts';

const runs = { numRuns: 2000 };
const blanks = '\t\n\v\f\r \u00a0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
// Characters that share bytes with white space but are not white space.
const strangers = 'a!#é\u0085\u00a1\u180e\u200b\u2027\u2030\u2060\u3001\ufefe\u009a\u{1f600}';
const anyText = fc.string({ unit: fc.constantFrom(...Array.from(blanks + strangers)), maxLength: 8 });

test('comments begin with an exclamation mark, a hash and a space, or four hashes', () => {
  for (const line of ['!', '! x', '!x', '#', '# ', '# x', '####', '####x'])
    assert.equal(look(line, isComment), true, line);
});

test('other lines with hashes are not comments', () => {
  for (const line of ['', '#x', '##', '##.ad', '###', '###ad', '#\tx', ' # x', ' !', '##@#', '#x##', '##x#']) {
    assert.equal(look(line, isComment), false, line);
  }
});

test('comments and empty lines are annotations; lines of spaces are not', () => {
  assert.equal(look('', isAnnotation), true);
  assert.equal(look('! x', isAnnotation), true);
  assert.equal(look(' ', isAnnotation), false);
  assert.equal(look('||a.com^', isAnnotation), false);
});

test('an exception begins with two at signs', () => {
  for (const line of ['@@', '@@||a.com^']) assert.equal(look(line, isAllowRule), true, line);
  for (const line of ['', '@', '@x', ' @@x', '||a.com^']) assert.equal(look(line, isAllowRule), false, line);
});

test('white space is the same as for String.trim', () => {
  for (const blank of blanks) assert.equal(look(blank, isBlank), true, JSON.stringify(blank));
  for (const stranger of strangers) assert.equal(look(stranger, isBlank), false, JSON.stringify(stranger));
  assert.equal(look('', isBlank), true);
});

test('white space at both ends is skipped as by String.trim', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const trimmed = look(text, (bytes, start, end) => {
        const from = skipBlanks(bytes, start, end);
        return decode(bytes, from, skipBlanksBack(bytes, from, end));
      });
      assert.equal(trimmed, text.trim());
      assert.equal(look(text, isBlank), text.trim() === '');
    }),
    runs,
  );
});
