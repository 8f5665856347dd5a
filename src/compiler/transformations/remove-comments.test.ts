import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCommentText, longLists } from '../../../test/support/compiler/transformed-lists.ts';
import { transform } from '../index.ts';

test('comments are dropped, similar lines are kept', () => {
  const list = `! a comment
!#safari_cb_affinity
# another
#
#### a heading
##.ad
#text
 ! not at the start
||a.com^ ! behind a rule

||b.com^`;
  assert.deepEqual(transform(list.split('\n'), ['RemoveComments']), [
    '##.ad',
    '#text',
    ' ! not at the start',
    '||a.com^ ! behind a rule',
    '',
    '||b.com^',
  ]);
});

test('they are dropped from lists of any length', () => {
  fc.assert(
    fc.property(longLists, (lines) => {
      assert.deepEqual(
        transform(lines, ['RemoveComments']),
        lines.filter((line) => !isCommentText(line)),
      );
    }),
    { numRuns: 50 },
  );
});
