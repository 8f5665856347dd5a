import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCommentText, longLists, shortLists } from '../../../test/support/compiler/transformed-lists.ts';
import { transform } from '../index.ts';

const deduplicate = (list: string): string[] => transform(list.split('\n'), ['Deduplicate']);

test('the last of equal rules is kept', () => {
  assert.deepEqual(deduplicate('||a.com^\n||b.com^\n||a.com^\n||c.com^'), ['||b.com^', '||a.com^', '||c.com^']);
});

test('rules that differ in case or spaces are different', () => {
  assert.deepEqual(deduplicate('||a.com^\n||A.com^\n||a.com^ \n ||a.com^'), [
    '||a.com^',
    '||A.com^',
    '||a.com^ ',
    ' ||a.com^',
  ]);
});

test('comments and empty lines are never duplicates', () => {
  assert.deepEqual(deduplicate('! x\n\n! x\n\n||a.com^'), ['! x', '', '! x', '', '||a.com^']);
});

test('the comments and empty lines above a dropped rule are dropped, up to the next rule', () => {
  const list = `! kept
||b.com^
! gone

# gone, too
||a.com^
! kept as well
||a.com^`;
  assert.deepEqual(deduplicate(list), ['! kept', '||b.com^', '! kept as well', '||a.com^']);
});

test('a line of spaces is treated as a rule', () => {
  assert.deepEqual(deduplicate('! x\n \n||a.com^\n||a.com^'), ['! x', ' ', '||a.com^']);
});

test('names of Object.prototype members are ordinary rules', () => {
  assert.deepEqual(deduplicate('constructor\n__proto__\ntoString\nconstructor'), [
    '__proto__',
    'toString',
    'constructor',
  ]);
});

test('rules without a name are compared as text', () => {
  assert.deepEqual(deduplicate('@@\n/ads/\n@@\nпример.рф\n/ads/\nпример.рф'), ['@@', '/ads/', 'пример.рф']);
});

/** Reference: from the last line to the first, with a Set. */
function plainly(lines: readonly string[]): string[] {
  const seen = new Set<string>();
  let isDroppedBelow = false;
  const kept = lines.toReversed().filter((line) => {
    if (line === '' || isCommentText(line)) return !isDroppedBelow;
    isDroppedBelow = seen.has(line);
    seen.add(line);
    return !isDroppedBelow;
  });
  return kept.toReversed();
}

const sameAsPlainly = (lines: readonly string[]): void => {
  assert.deepEqual(transform(lines, ['Deduplicate']), plainly(lines));
};

test('any list is deduplicated as with a Set', () => {
  fc.assert(fc.property(shortLists, sameAsPlainly), { numRuns: 800 });
});

test('so is a list of many blocks', () => {
  fc.assert(fc.property(longLists, sameAsPlainly), { numRuns: 10 });
});

test('a list with lines marked as unique by Compress is deduplicated correctly', () => {
  assert.deepEqual(
    transform(['! of x', '||x.com^', '||a.com^$badfilter', '||a.com^$badfilter'], ['Compress', 'Deduplicate']),
    ['! of x', '||x.com^', '||a.com^$badfilter'],
  );
  fc.assert(
    fc.property(shortLists, (lines) => {
      assert.deepEqual(transform(lines, ['Compress', 'Deduplicate']), plainly(transform(lines, ['Compress'])));
    }),
    { numRuns: 400 },
  );
});

test('comments are dropped with the rule below them, also across blocks', () => {
  const pieces = ['||same.com^', '! of it', '', '# and this', '||same.com^', '! of another'];
  // Seven lines per repetition, so that blocks end at each of them.
  for (const length of [70_000, 70_003]) {
    sameAsPlainly(Array.from({ length }, (_, at) => pieces[at % 7] ?? `||${at}.com^`));
  }
});
