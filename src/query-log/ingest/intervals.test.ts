import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalsOf } from './intervals.ts';

test('with PostgreSQL a row is stored 2 s after its query at the latest, also if there are few', () => {
  const { drain, drainFew, store, storeFew } = intervalsOf({ postgres: 'postgres://127.0.0.1/weir' });
  assert.ok(drain + store <= 2000 && drainFew + storeFew <= 2000);
});
