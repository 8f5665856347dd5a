import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPlans, limitsOf, readPlans, UNLIMITED } from './account-limits.ts';

test('an account has the limits of its plan, but for what the operator gave it', () => {
  const plans = { ...defaultPlans, small: { ...defaultPlans.default, devices: 3 } };
  assert.equal(limitsOf({ plan: 'small', limitOverrides: {} }, plans).devices, 3);
  assert.equal(limitsOf({ plan: 'small', limitOverrides: { devices: 9 } }, plans).devices, 9);
  assert.equal(limitsOf({ plan: 'small', limitOverrides: { devices: 0 } }, plans).devices, 0);
});

test('an account whose plan does not exist has the default plan', () => {
  for (const plan of ['gone', 'constructor', '__proto__'])
    assert.deepEqual(limitsOf({ plan, limitOverrides: {} }, defaultPlans), defaultPlans.default);
});

test('a plan names what differs from the default plan, which names what differs from ours', () => {
  const result = readPlans({ default: { devices: 10 }, team: { requests: 'unlimited', userRules: 5 } });
  assert.ok(result.ok);
  assert.deepEqual(result.value, {
    default: { ...defaultPlans.default, devices: 10 },
    team: { ...defaultPlans.default, devices: 10, requests: UNLIMITED, userRules: 5 },
  });
});

test('every error in a table of plans is reported', () => {
  const result = readPlans({ default: { devices: -1, phones: 1 }, team: 7, pro: { requests: 2 ** 31 } });
  assert.ok(!result.ok);
  assert.equal(result.error.length, 4);
  assert.match(result.error.join('\n'), /plans\.default\.phones is not a limit/);
  assert.equal(readPlans([]).ok, false);
});
