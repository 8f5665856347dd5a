import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedWindow } from '../kit/fixed-window.ts';
import type { RateLimiter } from './request-guards.ts';

test('a window of this process is a rate limiter', async () => {
  const limiter: RateLimiter = fixedWindow({ limit: 1, windowMs: 60_000, maxKeys: 10, now: () => 0 });
  assert.equal((await limiter.take('192.0.2.1')).allowed, true);
  assert.deepEqual(await limiter.take('192.0.2.1'), { allowed: false, limit: 1, remaining: 0, resetMs: 60_000 });
});
