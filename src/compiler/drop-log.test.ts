import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDropLog } from './drop-log.ts';
import { addString, createLines, type Lines } from './lines/lines.ts';
import { createWorkspace } from './lines/workspace.ts';
import type { Reason } from './transformations/transformation.ts';

/** Two sources in one list, with a generated line between them. */
function twoSources(): Lines {
  const lines = createLines(createWorkspace());
  addString(lines, '||a.com^', 0, 3);
  addString(lines, '! Source: B', 1);
  addString(lines, '||a.com^', 1, 8);
  return lines;
}

test('a dropped line is marked, whether or not reasons are recorded', () => {
  for (const explain of [false, true]) {
    const lines = twoSources();
    const dropLog = createDropLog(['A', 'B'], { explain });
    dropLog.during('RemoveComments', lines, true)(0, 'comment');
    assert.deepEqual([...lines.dropped.subarray(0, 3)], [1, 0, 0]);
    assert.equal(dropLog.dropped().length, explain ? 1 : 0);
  }
});

test('an explanation names rule, source, line, step and reason', () => {
  const dropLog = createDropLog(['A', 'B'], { explain: true });
  dropLog.during('Deduplicate', twoSources(), true)(0, 'duplicate', 2);
  assert.deepEqual(dropLog.dropped(), [
    {
      rule: '||a.com^',
      source: 'A',
      line: 3,
      step: 'Deduplicate',
      reason: 'the same rule stands again further down: "||a.com^", line 8 of B',
    },
  ]);
});

test('each reason has a text', () => {
  const dropLog = createDropLog(['A', 'B'], { explain: true });
  const drop = dropLog.during('Validate', twoSources(), true);
  const reasons: readonly (readonly [Reason, (number | undefined)?, string?])[] = [
    ['comment'],
    ['empty'],
    ['invalid', undefined, 'it is odd'],
    ['belongs to a dropped rule'],
    ['same name', 2],
    ['covered by a parent', 2],
    ['excluded', undefined, '*x*'],
    ['not included'],
  ];
  for (const [reason, other, detail] of reasons) drop(0, reason, other, detail);
  assert.deepEqual(
    dropLog.dropped().map(({ reason }) => reason),
    [
      'it is a comment',
      'it is an empty line',
      'it is odd',
      'it stands above a rule that was dropped',
      'the same name is blocked already by "||a.com^", line 8 of B',
      'a parent domain is blocked by "||a.com^", line 8 of B',
      'the exclusion "*x*" matches it',
      'no inclusion matches it',
    ],
  );
});

test('generated lines are not reported as dropped', () => {
  const dropLog = createDropLog(['A', 'B'], { explain: true });
  dropLog.during('RemoveComments', twoSources(), true)(1, 'comment');
  assert.deepEqual(dropLog.dropped(), []);
});

test('rules that two sources share are counted when the sources are combined', () => {
  const dropLog = createDropLog(['A', 'B']);
  const within = dropLog.during('Deduplicate', twoSources(), false);
  within(0, 'duplicate', 2);
  assert.deepEqual(dropLog.overlaps(), []);
  const whole = dropLog.during('Deduplicate', twoSources(), true);
  whole(0, 'duplicate', 2);
  whole(0, 'duplicate', 2);
  whole(2, 'same name', 0);
  whole(0, 'duplicate', 2);
  whole(0, 'covered by a parent', 2);
  whole(0, 'duplicate', 0);
  assert.deepEqual(dropLog.overlaps(), [
    { source: 0, of: 1, rules: 3 },
    { source: 1, of: 0, rules: 1 },
  ]);
  assert.deepEqual(dropLog.overlaps(), dropLog.overlaps());
});

test('a step reports some of its dropped lines, and the next step starts empty', () => {
  const dropLog = createDropLog(['A', 'B'], { reportDropped: 1 });
  const lines = twoSources();
  const drop = dropLog.during('Deduplicate', lines, true);
  drop(0, 'duplicate', 2);
  drop(2, 'duplicate', 0);
  assert.deepEqual(
    dropLog.takeRecent().map(({ rule, line }) => [rule, line]),
    [['||a.com^', 3]],
  );
  assert.deepEqual(dropLog.takeRecent(), []);
  assert.deepEqual(dropLog.dropped(), []);
});
