import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patternTimeLimitMs } from './run-job.ts';

const configuration = {
  name: 'T',
  sources: [
    { source: 'a', exclusions: ['/x/', '/y/', 'plain'] },
    { source: 'b', inclusions_sources: ['p'] },
  ],
  inclusions: ['/z/'],
};
const allowance = (step: 'exclusions' | 'inclusions' | 'Compress', index: number | undefined, before: number): number =>
  patternTimeLimitMs(configuration, { kind: 'step started', step, index, before });

test('the time limit of a step with expressions grows with lines and expressions, up to a maximum', () => {
  assert.equal(allowance('exclusions', 0, 0), 1500);
  assert.equal(allowance('exclusions', 0, 100_000), 1900);
  assert.equal(allowance('inclusions', undefined, 100_000), 1700);
  assert.equal(allowance('inclusions', 1, 1000), 1600);
  assert.equal(allowance('exclusions', 0, 1e9), 10_000);
});

test('a step that runs no expressions of users has no such limit', () => {
  assert.equal(allowance('Compress', undefined, 1e9), 0);
  assert.equal(allowance('exclusions', undefined, 1e9), 0);
});
