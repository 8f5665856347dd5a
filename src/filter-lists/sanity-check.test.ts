import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../kit/durations.ts';
import { checkSanity, type Offered } from './sanity-check.ts';

const offered = (given: Partial<Offered>): Offered => ({
  rules: 100,
  rulesInUse: 100,
  shrunk: undefined,
  isAccepted: false,
  now: 1_000_000_000_000,
  ...given,
});

const used: readonly Partial<Offered>[] = [
  { rulesInUse: undefined, rules: 1 },
  { rules: 1000 },
  { rules: 50 },
  { rules: 1, rulesInUse: 2 },
];

for (const given of used)
  test(`a list of ${given.rules} rules may follow one of ${given.rulesInUse ?? '100 or none'}`, () => {
    assert.deepEqual(checkSanity(offered(given)), { kind: 'use' });
  });

test('a list without rules is never used, even if the operator accepts a small one', () => {
  for (const rulesInUse of [undefined, 1, 100])
    assert.deepEqual(checkSanity(offered({ rules: 0, rulesInUse, isAccepted: true })), {
      kind: 'keep the old',
      why: 'it has no rules that a DNS filter can use',
    });
});

test('a list that shrinks by more than half is not used, and the counts are reported', () => {
  assert.deepEqual(checkSanity(offered({ rules: 1499, rulesInUse: 3000, now: 7 })), {
    kind: 'keep the old',
    why: 'it has shrunk by more than half, to 1,499 rules where 3,000 are in use',
    shrunk: { since: 7, checks: 1 },
  });
});

test('a small list is used when three checks over a day have confirmed it', () => {
  const since = 1_000;
  const judge = (checks: number, hours: number) =>
    checkSanity(offered({ rules: 10, shrunk: { since, checks }, now: since + hours * HOUR_MS }));
  assert.equal(judge(1, 24).kind, 'keep the old');
  assert.equal(judge(20, 23.9).kind, 'keep the old');
  assert.deepEqual(judge(2, 24), { kind: 'use' });
});

test('earlier checks of a small list are counted', () => {
  const judged = checkSanity(offered({ rules: 10, shrunk: { since: 5, checks: 1 }, now: 6 }));
  assert.deepEqual(judged.kind === 'keep the old' && judged.shrunk, { since: 5, checks: 2 });
});

test('the operator can accept a small list at once', () => {
  assert.deepEqual(checkSanity(offered({ rules: 1, isAccepted: true })), { kind: 'use' });
});
