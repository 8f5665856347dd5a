import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../lines/text.ts';
import { fillWildcardGaps } from './fill-wildcard-gaps.ts';
import { readRule } from './read-rule.ts';
import { inherit, resolvePrecedence } from './resolve-precedence.ts';
import { createRuleEffects } from './rule-effects.ts';

/** The names that need a record. */
function needed(rules: string): string[] {
  const effects = createRuleEffects(1);
  for (const [line, rule] of rules.split(' ').entries()) {
    const bytes = new TextEncoder().encode(rule);
    readRule(effects, line, { bytes, start: 0, end: bytes.length });
  }
  const { names } = effects;
  const above = resolvePrecedence(names);
  inherit(names, above);
  const redundant = fillWildcardGaps(names, above);
  return Array.from({ length: names.count }, (_, name) => name)
    .filter((name) => redundant[name] !== 1)
    .map((name) => decode(names.text.bytes, names.start[name]!, names.end[name]!))
    .sort();
}

test('a name with the same effect as its parent needs no line', () => {
  assert.deepEqual(needed('||b.a.com^ ||a.com^ |c.a.com^'), ['a.com']);
});

test('a name with another effect needs a line, and so do the names between it and its parent', () => {
  assert.deepEqual(needed('||a.com^ @@||x.y.z.a.com^'), ['a.com', 'x.y.z.a.com', 'y.z.a.com', 'z.a.com']);
});

test('a name between two others gets a line if it had none', () => {
  assert.deepEqual(needed('||a.com^ ||b.a.com^ @@||x.b.a.com^'), ['a.com', 'b.a.com', 'x.b.a.com']);
});

test('names above the parent need no line', () => {
  assert.deepEqual(needed('|com^ ||b.a.com^ @@||c.b.a.com^'), ['b.a.com', 'c.b.a.com', 'com']);
});

test('nested names with alternating effects all keep their lines', () => {
  assert.deepEqual(needed('||a.com^ @@||b.a.com^ ||c.b.a.com^$important'), ['a.com', 'b.a.com', 'c.b.a.com']);
});
