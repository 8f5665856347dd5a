import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noExtensions, type ProfileExtensions } from './profile-extensions.ts';
import { addTemporaryRule, nextEnd, removeTemporaryRule, rulesStillIn } from './temporary-rules.ts';

const NOW = 1_000_000;
const stepsOf = (rule: string): number => (rule.startsWith('/') ? 1000 * rule.length : 0);
const expressions = { limit: 50_000, usedElsewhere: 0, stepsOf };
const noEffect = (rule: string): string | undefined => (/^(?:$|!)/.test(rule) ? 'must be a rule' : undefined);

function withRule(extensions: ProfileExtensions, rule: string, minutes: number, now = NOW): ProfileExtensions {
  const added = addTemporaryRule(extensions, { rule, minutes }, { id: `${rule} ${now}`, now, expressions, noEffect });
  assert.ok(added.ok);
  return added.value.extensions;
}

test('a temporary rule applies until its expiry', () => {
  const extensions = withRule(noExtensions, '||a.com^', 10);
  assert.equal(rulesStillIn(extensions, NOW + 599_999).length, 1);
  assert.equal(rulesStillIn(extensions, NOW + 600_000).length, 0);
  assert.equal(nextEnd(extensions.temporaryRules), NOW + 600_000);
  assert.equal(nextEnd([]), Infinity);
});

test('expired rules are removed when another is added', () => {
  const extensions = withRule(withRule(noExtensions, '||a.com^', 1), '||b.com^', 1, NOW + 60_000);
  assert.deepEqual(
    extensions.temporaryRules.map(({ rule }) => rule),
    ['||b.com^'],
  );
});

test('a repeated rule exists once, with its new expiry', () => {
  const extensions = withRule(withRule(noExtensions, '||a.com^', 60), '||a.com^', 10, NOW + 1);
  assert.deepEqual(
    extensions.temporaryRules.map(({ endsAt }) => endsAt),
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

test('a DNS server may have a hundred temporary rules', () => {
  let extensions = noExtensions;
  for (let i = 0; i < 100; i++) extensions = withRule(extensions, `||a${i}.com^`, 1);
  const more = { rule: '||more.com^', minutes: 1 };
  assert.ok(!addTemporaryRule(extensions, more, { id: 'x', now: NOW, expressions, noEffect }).ok);
  assert.ok(addTemporaryRule(extensions, more, { id: 'x', now: NOW + 60_000, expressions, noEffect }).ok);
});

test('a rule can be removed once', () => {
  const extensions = withRule(noExtensions, '||a.com^', 1);
  const { id } = extensions.temporaryRules[0]!;
  assert.deepEqual(removeTemporaryRule(extensions, id, NOW), noExtensions);
  assert.equal(removeTemporaryRule(extensions, 'nobody', NOW), undefined);
  assert.equal(removeTemporaryRule(extensions, id, NOW + 60_000), undefined);
});

test('expressions of temporary rules are limited for a server and for the account', () => {
  const fieldOf = (extensions: ProfileExtensions, rule: string, usedElsewhere: number): string | undefined => {
    const context = { id: 'x', now: NOW, expressions: { ...expressions, usedElsewhere }, noEffect };
    const added = addTemporaryRule(extensions, { rule, minutes: 1 }, context);
    if (added.ok) return undefined;
    assert.ok(added.error.kind === 'invalid' && added.error.errors[0]!.kind === 'limit reached');
    return added.error.errors[0]!.field;
  };
  const extensions = withRule(noExtensions, '/a/', 1);
  assert.equal(fieldOf(extensions, '//', 0), undefined, '5,000 steps in all');
  assert.equal(fieldOf(extensions, '/b/', 0), 'rule', '6,000 steps in all');
  assert.equal(fieldOf(extensions, '/a/', 0), undefined, 'the same rule again');
  assert.equal(fieldOf(extensions, '//', 45_000), undefined);
  assert.equal(fieldOf(extensions, '//', 45_001), 'rule', 'the account has 50,000');
  assert.equal(fieldOf(extensions, '||a.com^', 60_000), undefined, 'other rules have no steps');
});
