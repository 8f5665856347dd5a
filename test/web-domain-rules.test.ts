import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRule } from '../src/rules/parse-rule.ts';
import { canBeClient, canBeRule, ruleText } from '../web/api/domain-rule-text.ts';

test('a rule for a device names exactly that device, whatever characters its name has', () => {
  for (const name of ['Phone', "Ann's phone", 'Ann’s phone', 'a,b|c', '$5 "tablet"', 'back\\slash', '~tv', 'a b']) {
    const parsed = parseRule(ruleText('block', 'ads.example', { client: name, isImportant: true }));
    assert.ok(parsed.kind === 'rule', `${name}: ${JSON.stringify(parsed)}`);
    assert.deepEqual(parsed.rule.clients?.only, [{ kind: 'name', name: name.toLowerCase() }], name);
    assert.equal(parsed.rule.important, true);
  }
});

test('rules without limits are plain', () => {
  assert.equal(ruleText('block', 'ads.example'), '||ads.example^');
  assert.equal(ruleText('allow', 'ads.example', { isImportant: true }), '@@||ads.example^$important');
  assert.deepEqual(['10.0.0.1', '10.0.0.0/8', 'fe80::1', 'Phone 2'].map(canBeClient), [false, false, false, true]);
  assert.deepEqual(['a.example', 'a*.example', '<b>'].map(canBeRule), [true, false, false]);
});
