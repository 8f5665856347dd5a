import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pick } from '../src/compiler/lines/blocks.ts';
import { isPicked, linesInWorkspace } from '../test/support/kernels-workspace.ts';

const character = fc.constantFrom(...'a.|^$!#AZ@[`{ \t\u0000\u007f'.split(''), 'é', '\u00a0', '\ufeff', '\u3000', '😀');
const line = fc.oneof(
  fc.string({ unit: character, maxLength: 6 }),
  // Longer than one and than two vectors.
  fc
    .tuple(fc.nat(40), character, fc.nat(20))
    .map(([before, odd, behind]) => 'x'.repeat(before) + odd + 'y'.repeat(behind)),
);
const runs = { numRuns: 3000 };

test('lines that begin as a comment or a directive are picked, and no other rules', () => {
  fc.assert(
    fc.property(
      line.filter((text) => text !== ''),
      (text) => assert.equal(isPicked(text, 'pickMarked'), /^[!#]/.test(text), text),
    ),
    runs,
  );
});

test('no line is missed that is empty or has white space at an end', () => {
  fc.assert(
    fc.property(line, (text) => {
      if (text === '' || text.trim() !== text) assert.equal(isPicked(text, 'pickEdged'), true, JSON.stringify(text));
    }),
    runs,
  );
});

test('no line is missed that has a dollar sign or white space at an end', () => {
  fc.assert(
    fc.property(line, (text) => {
      if (text.includes('$') || text.trim() !== text) {
        assert.equal(isPicked(text, 'pickEdgedOrModified'), true, JSON.stringify(text));
      }
    }),
    runs,
  );
});

test('ordinary rules are passed over', () => {
  for (const rule of [
    '||ads.example.com^',
    '0.0.0.0 a.com',
    'b.com',
    'example.com##.ad',
    '/ads/',
    `||${'a.'.repeat(40)}b^`,
  ]) {
    for (const prefilter of [
      'pickMarked',
      'pickEdged',
      'pickEdgedOrModified',
      'pickNonAscii',
      'pickCapital',
    ] as const) {
      assert.equal(isPicked(rule, prefilter), false, `${rule} by ${prefilter}`);
    }
  }
});

test('lines with a byte beyond ASCII are picked, and no others', () => {
  fc.assert(
    fc.property(line, (text) => assert.equal(isPicked(text, 'pickNonAscii'), /[^\x00-\x7f]/.test(text), text)),
    runs,
  );
});

test('lines with a capital letter are picked, and no others', () => {
  fc.assert(
    fc.property(line, (text) => assert.equal(isPicked(text, 'pickCapital'), /[A-Z]/.test(text), text)),
    runs,
  );
});

test('lines are picked by their places in the whole list, however long it is', () => {
  const texts = Array.from({ length: 10_000 }, (_, at) => (at % 7 === 0 ? `! ${at}` : `||a${at}.com^`));
  assert.deepEqual(
    [...pick(linesInWorkspace(texts), 'pickMarked')],
    texts.flatMap((text, at) => (text.startsWith('!') ? [at] : [])),
  );
  assert.deepEqual([...pick(linesInWorkspace([]), 'pickMarked')], []);
});
