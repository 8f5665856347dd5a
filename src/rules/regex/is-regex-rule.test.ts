import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyUnreadable } from './is-regex-rule.ts';

test('an expression that JavaScript can read has no fault', () => {
  for (const pattern of ['/ads[0-9]+/', '/a/b/', '/^(?=x)(?<y>z)$/', '//']) {
    assert.equal(whyUnreadable(pattern), undefined, pattern);
  }
});

test('an invalid expression gets a short error, without the expression', () => {
  const words = 'JavaScript cannot read the regular expression: ';
  assert.equal(whyUnreadable('/: ((((/'), `${words}Unterminated group`);
  assert.equal(whyUnreadable('/*ads/'), `${words}Nothing to repeat`);
  assert.equal(whyUnreadable('/(?i)ads/'), `${words}Invalid group`);
  assert.equal(whyUnreadable('/ads\\/'), `${words}\\ at end of pattern`);
  assert.equal(whyUnreadable(`/${'('.repeat(100_000)}/`)?.startsWith(words), true);
});
