import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListHealth } from './list-deps.ts';
import { safetyState } from './safety-lists.ts';

const list = (more: Partial<ListHealth>): ListHealth => ({
  id: 'adult:1',
  isLoaded: false,
  isBuiltIn: false,
  rules: 0,
  ignored: 0,
  invalid: 0,
  fetchedAt: undefined,
  checkedAt: undefined,
  problem: undefined,
  changes: undefined,
  isHeldBack: false,
  ...more,
});
const loaded = list({ isLoaded: true, rules: 7 });
const failed = list({ problem: { why: 'HTTP 404', since: 1 } });

const cases = [
  { configured: 0, lists: [], state: 'no_list' },
  { configured: 1, lists: [], state: 'unused' },
  { configured: 1, lists: [list({})], state: 'loading' },
  { configured: 1, lists: [failed], state: 'failed', problem: 'HTTP 404' },
  { configured: 2, lists: [failed, loaded], state: 'ready', rules_count: 7, problem: 'HTTP 404' },
  { configured: 2, lists: [loaded, loaded], state: 'ready', rules_count: 14 },
] as const;

for (const { configured, lists, ...expected } of cases)
  test(`${configured} configured, ${lists.length} known: ${expected.state}`, () => {
    assert.deepEqual(safetyState('adult', configured, lists), {
      setting: 'block_adult_websites_enabled',
      rules_count: 0,
      ...expected,
    });
  });
