import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Guards, rulesIn, whyNotWritten } from './output-guards.ts';

const none: Guards = { failIfEmpty: false, maxRules: undefined, maxShrink: undefined };

test('all lines except blank ones and comments of every format are rules', () => {
  const list = '! a\n# b\n#\n; c\n\n  \n||a^\n##.ad\n0.0.0.0 b.com # c\n  local-zone: x\nlast';
  assert.equal(rulesIn(Buffer.from(list)), 5);
  assert.equal(rulesIn(Buffer.from('')), 0);
});

test('without guards every list may be written', () => {
  assert.equal(whyNotWritten(0, 1000, none), undefined);
});

test('a list can be rejected if it is empty, too long, or much shorter than before', () => {
  assert.match(whyNotWritten(0, undefined, { ...none, failIfEmpty: true })!, /no rules/);
  assert.equal(whyNotWritten(1, undefined, { ...none, failIfEmpty: true }), undefined);
  assert.match(whyNotWritten(11, undefined, { ...none, maxRules: 10 })!, /11 rules \(--max-rules 10\)/);
  assert.equal(whyNotWritten(10, undefined, { ...none, maxRules: 10 }), undefined);
  const shrink = { ...none, maxShrink: 0.3 };
  assert.match(whyNotWritten(699, 1000, shrink)!, /699 rules, the file has 1,000 \(--max-shrink 30%\)/);
  assert.equal(whyNotWritten(700, 1000, shrink), undefined);
  assert.equal(whyNotWritten(0, undefined, shrink), undefined);
});
