import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownModifiers, type Modifier } from './modifiers.ts';

const namesWhere = (is: (modifier: Modifier) => boolean): readonly string[] =>
  [...knownModifiers].filter(([, modifier]) => is(modifier)).map(([name]) => name);

test('the compiler takes the modifiers that the compiler of published lists takes', () => {
  assert.deepEqual(
    namesWhere(({ inCompiler }) => inCompiler).toSorted(),
    ['badfilter', 'client', 'ctag', 'denyallow', 'dnsrewrite', 'dnstype', 'important', '~important'].toSorted(),
  );
});

test('rules for a whole suffix are valid if they are restricted to names or clients, or disable such a rule', () => {
  assert.deepEqual(
    namesWhere(({ limitsSuffix }) => limitsSuffix),
    ['badfilter', 'client', 'denyallow'],
  );
});

test('rules may match every name if they apply only to some of the queries', () => {
  const limiting = namesWhere(({ limitsQueries }) => limitsQueries);
  assert.deepEqual(limiting, ['dnstype', 'ctag', 'client', 'denyallow', 'respgeo']);
});

test('each modifier is written as its example is', () => {
  for (const [name, { like, read, value }] of knownModifiers) {
    const [written, example = ''] = like.split('=');
    assert.equal(written, name);
    assert.equal(example === '', value === 'none', name);
    assert.equal(read(example).ok, true, like);
  }
});
