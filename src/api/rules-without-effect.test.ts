import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../domain/default-settings.ts';
import type { RuleStatus } from './deps.ts';
import { problemOf, rulesWithoutEffect } from './rules-without-effect.ts';

const ignored = { kind: 'ignored', reason: 'is for browsers', start: 0, end: 2 } as const;
const invalid = { kind: 'invalid', reason: 'has no domain', start: 1, end: 3 } as const;
const ruleStatus = (rule: string): RuleStatus => {
  if (rule.startsWith('!')) return { kind: 'comment or blank' };
  if (rule.includes('##')) return ignored;
  return rule.startsWith('/[') ? invalid : { kind: 'rule' };
};

test('rules with an effect and comments have no problem', () => {
  assert.equal(problemOf('||a.example^', ruleStatus), undefined);
  assert.equal(problemOf('! comment', ruleStatus), undefined);
  assert.deepEqual(problemOf('a.example##.ad', ruleStatus), ignored);
  assert.deepEqual(problemOf('/[/', ruleStatus), invalid);
});

test('stored rules without effect have their setting and their position in it', () => {
  const settings = defaultSettings();
  const stored = {
    ...settings,
    userRules: { ...settings.userRules, rules: ['||a.example^', 'a.example##.ad', '! comment', '/[/'] },
    access: { ...settings.access, blockedDomainRules: ['/[/'] },
  };
  assert.deepEqual(rulesWithoutEffect(stored, ruleStatus), [
    { setting: 'user_rules', index: 1, rule: 'a.example##.ad', ...ignored },
    { setting: 'user_rules', index: 3, rule: '/[/', ...invalid },
    { setting: 'blocked_domain_rules', index: 0, rule: '/[/', ...invalid },
  ]);
  assert.deepEqual(rulesWithoutEffect(settings, ruleStatus), []);
});
