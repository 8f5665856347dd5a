import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noExtensions, type ProfileExtensions } from './profile-extensions.ts';
import { addTemporaryRule, nextEnd, removeTemporaryRule, rulesStillIn } from './temporary-rules.ts';

const NOW = 1_000_000;
const stepsOf = (rule: string): number => (rule.startsWith('/') ? 1000 * rule.length : 0);
const expressions = { limit: 50_000, usedElsewhere: 0, stepsOf };
const noEffect = (rule: string): string | undefined => (/^(?:$|!)/.test(rule) ? 'must be a rule' : undefined);

function withRule(own: ProfileExtensions, rule: string, minutes: number, now = NOW): ProfileExtensions {
  const added = addTemporaryRule(own, { rule, minutes }, { id: `${rule} ${now}`, now, expressions, noEffect });
  assert.ok(added.ok);
  return added.value.own;
}

test('a temporary rule holds until its end and no longer', () => {
  const own = withRule(noExtensions, '||a.com^', 10);
  assert.equal(rulesStillIn(own, NOW + 599_999).length, 1);
  assert.equal(rulesStillIn(own, NOW + 600_000).length, 0);
  assert.equal(nextEnd(own.temporaryRules), NOW + 600_000);
  assert.equal(nextEnd([]), Infinity);
});

test('rules whose time is over go when another comes', () => {
  const own = withRule(withRule(noExtensions, '||a.com^', 1), '||b.com^', 1, NOW + 60_000);
  assert.deepEqual(
    own.temporaryRules.map(({ rule }) => rule),
    ['||b.com^'],
  );
});

test('a rule that is said again is there once, with its new end', () => {
  const own = withRule(withRule(noExtensions, '||a.com^', 60), '||a.com^', 10, NOW + 1);
  assert.deepEqual(
    own.temporaryRules.map(({ endsAt }) => endsAt),
    [NOW + 1 + 600_000],
  );
});

test('a rule must be one line with an effect, its time a number of minutes of at most a week', () => {
  for (const [rule, minutes, field] of [
    ['', 10, 'rule'],
    ['  ', 10, 'rule'],
    ['! a.com', 10, 'rule'],
    ['a\nb', 10, 'rule'],
    ['||a.com^', 0, 'minutes'],
    ['||a.com^', 1.5, 'minutes'],
    ['||a.com^', 10_081, 'minutes'],
  ] as const) {
    const added = addTemporaryRule(noExtensions, { rule, minutes }, { id: 'x', now: NOW, expressions, noEffect });
    assert.ok(!added.ok && added.error.kind === 'invalid');
    assert.deepEqual(
      added.error.errors.map((fault) => fault.field),
      [field],
    );
  }
});

test('there may be a hundred at a time', () => {
  let own = noExtensions;
  for (let i = 0; i < 100; i++) own = withRule(own, `||a${i}.com^`, 1);
  const more = { rule: '||more.com^', minutes: 1 };
  assert.ok(!addTemporaryRule(own, more, { id: 'x', now: NOW, expressions, noEffect }).ok);
  assert.ok(addTemporaryRule(own, more, { id: 'x', now: NOW + 60_000, expressions, noEffect }).ok);
});

test('one that is removed is gone, and one that is not there cannot be', () => {
  const own = withRule(noExtensions, '||a.com^', 1);
  const { id } = own.temporaryRules[0]!;
  assert.deepEqual(removeTemporaryRule(own, id, NOW), noExtensions);
  assert.equal(removeTemporaryRule(own, 'nobody', NOW), undefined);
  assert.equal(removeTemporaryRule(own, id, NOW + 60_000), undefined);
});

test('expressions of temporary rules are limited for a server and for the account', () => {
  const fieldOf = (own: ProfileExtensions, rule: string, usedElsewhere: number): string | undefined => {
    const context = { id: 'x', now: NOW, expressions: { ...expressions, usedElsewhere }, noEffect };
    const added = addTemporaryRule(own, { rule, minutes: 1 }, context);
    if (added.ok) return undefined;
    assert.ok(added.error.kind === 'invalid' && added.error.errors[0]!.kind === 'limit reached');
    return added.error.errors[0]!.field;
  };
  const own = withRule(noExtensions, '/a/', 1);
  assert.equal(fieldOf(own, '//', 0), undefined, '5,000 steps in all');
  assert.equal(fieldOf(own, '/b/', 0), 'rule', '6,000 steps in all');
  assert.equal(fieldOf(own, '/a/', 0), undefined, 'the same rule again');
  assert.equal(fieldOf(own, '//', 45_000), undefined);
  assert.equal(fieldOf(own, '//', 45_001), 'rule', 'the account has 50,000');
  assert.equal(fieldOf(own, '||a.com^', 60_000), undefined, 'other rules have no steps');
});
