import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCommentText, longLists, shortLists } from '../../../test/support/compiler/transformed-lists.ts';
import { transform } from '../index.ts';

const deduplicate = (list: string): string[] => transform(list.split('\n'), ['Deduplicate']);

test('the last of equal rules stays', () => {
  assert.deepEqual(deduplicate('||a.com^\n||b.com^\n||a.com^\n||c.com^'), ['||b.com^', '||a.com^', '||c.com^']);
});

test('case and blanks make a difference', () => {
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

test('the comments and empty lines above a dropped rule go with it, up to the next rule', () => {
  const list = `! kept
||b.com^
! gone

# gone, too
||a.com^
! kept as well
||a.com^`;
  assert.deepEqual(deduplicate(list), ['! kept', '||b.com^', '! kept as well', '||a.com^']);
});

test('a line of blanks is a rule like others', () => {
  assert.deepEqual(deduplicate('! x\n \n||a.com^\n||a.com^'), ['! x', ' ', '||a.com^']);
});

test('names that objects have of their own are rules like others', () => {
  assert.deepEqual(deduplicate('constructor\n__proto__\ntoString\nconstructor'), [
    '__proto__',
    'toString',
    'constructor',
  ]);
});

test('rules that hold no name are compared as they are', () => {
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

test('any list is left with what a Set would leave it', () => {
  fc.assert(fc.property(shortLists, sameAsPlainly), { numRuns: 800 });
});

test('so is a list of many blocks', () => {
  fc.assert(fc.property(longLists, sameAsPlainly), { numRuns: 10 });
});

test('so is one in which Compress has found that names differ', () => {
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

test('comments go with the rule below them, also when a block ends between the two', () => {
  const pieces = ['||same.com^', '! of it', '', '# and this', '||same.com^', '! of another'];
  // Seven lines per repetition, so that blocks end at each of them.
  for (const length of [70_000, 70_003]) {
    sameAsPlainly(Array.from({ length }, (_, at) => pieces[at % 7] ?? `||${at}.com^`));
  }
});
