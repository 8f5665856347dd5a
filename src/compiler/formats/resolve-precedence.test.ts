import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../lines/text.ts';
import { readRule } from './read-rule.ts';
import { inherit, resolvePrecedence } from './resolve-precedence.ts';
import { createRuleEffects } from './rule-effects.ts';

const verdicts = ['-', 'block', 'allow', 'block', 'allow', 'block', 'allow'];

/** Each name with the effect on itself and on its subdomains. */
function settled(rules: string, { inheriting = false } = {}): Record<string, string> {
  const effects = createRuleEffects(1);
  for (const [line, rule] of rules.split(' ').entries()) {
    const bytes = new TextEncoder().encode(rule);
    readRule(effects, line, { bytes, start: 0, end: bytes.length });
  }
  const { names } = effects;
  const above = resolvePrecedence(names);
  if (inheriting) inherit(names, above);
  return Object.fromEntries(
    Array.from({ length: names.count }, (_, name) => [
      decode(names.text.bytes, names.start[name]!, names.end[name]!),
      `${verdicts[names.self[name]!]} ${verdicts[names.below[name]!]}`,
    ]),
  );
}

test('an exception overrides block rules for the same name at any position', () => {
  assert.deepEqual(settled('||a.com^ @@||a.com^'), { 'a.com': 'allow allow' });
  assert.deepEqual(settled('@@||a.com^ ||a.com^'), { 'a.com': 'allow allow' });
});

test('an exception overrides block rules for names under it', () => {
  assert.deepEqual(settled('||x.y.a.com^ @@||a.com^'), { 'x.y.a.com': 'allow allow', 'a.com': 'allow allow' });
});

test('a name whose end only resembles a parent is not affected by it', () => {
  assert.deepEqual(settled('||xa.com^ @@||a.com^'), { 'xa.com': 'block block', 'a.com': 'allow allow' });
});

test('important rules override exceptions, and important exceptions override them', () => {
  assert.deepEqual(settled('||a.com^$important @@||b.a.com^ @@||c.a.com^$important'), {
    'a.com': 'block block',
    'b.a.com': 'block block',
    'c.a.com': 'allow allow',
  });
});

test('an exception for a single name leaves the names under it blocked, and vice versa', () => {
  assert.deepEqual(settled('||a.com^ @@|a.com^'), { 'a.com': 'allow block' });
  assert.deepEqual(settled('||a.com^ @@*.a.com^'), { 'a.com': 'block allow' });
});

test('a name inherits the effect of its parents unless it has one itself', () => {
  assert.deepEqual(settled('||a.com^ @@|b.a.com^ *.c.a.com^ |d.com^', { inheriting: true }), {
    'a.com': 'block block',
    'b.a.com': 'allow block',
    'c.a.com': 'block block',
    'd.com': 'block -',
  });
});
