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

test('only lines that begin like a comment or a directive are picked', () => {
  fc.assert(
    fc.property(
      line.filter((text) => text !== ''),
      (text) => assert.equal(isPicked(text, 'pickMarked'), /^[!#]/.test(text), text),
    ),
    runs,
  );
});

test('all lines that are empty or have white space at an end are picked', () => {
  fc.assert(
    fc.property(line, (text) => {
      if (text === '' || text.trim() !== text) assert.equal(isPicked(text, 'pickEdged'), true, JSON.stringify(text));
    }),
    runs,
  );
});

test('all lines with a dollar sign or white space at an end are picked', () => {
  fc.assert(
    fc.property(line, (text) => {
      if (text.includes('$') || text.trim() !== text) {
        assert.equal(isPicked(text, 'pickEdgedOrModified'), true, JSON.stringify(text));
      }
    }),
    runs,
  );
});

test('ordinary rules are not picked', () => {
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

test('only lines with a non-ASCII byte are picked', () => {
  fc.assert(
    fc.property(line, (text) => assert.equal(isPicked(text, 'pickNonAscii'), /[^\x00-\x7f]/.test(text), text)),
    runs,
  );
});

test('only lines with a capital letter are picked', () => {
  fc.assert(
    fc.property(line, (text) => assert.equal(isPicked(text, 'pickCapital'), /[A-Z]/.test(text), text)),
    runs,
  );
});

test('lines are picked by their index in the whole list, for any length', () => {
  const texts = Array.from({ length: 10_000 }, (_, at) => (at % 7 === 0 ? `! ${at}` : `||a${at}.com^`));
  assert.deepEqual(
    [...pick(linesInWorkspace(texts), 'pickMarked')],
    texts.flatMap((text, at) => (text.startsWith('!') ? [at] : [])),
  );
  assert.deepEqual([...pick(linesInWorkspace([]), 'pickMarked')], []);
});
