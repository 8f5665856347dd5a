import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFailure, type Failure, type RetryBounds } from './retry.ts';

const bounds: RetryBounds = { maxRetries: 3, budgetLeftMs: 120_000, random: 0.5 };
const busy: Failure = { kind: 'status', status: 503 };
const giveUp = { kind: 'give up' };

test('the waits double from one second, and the fourth failure is the last', () => {
  assert.deepEqual(
    [1, 2, 3, 4].map((tries) => afterFailure(busy, tries, bounds)),
    [{ kind: 'wait', ms: 1000 }, { kind: 'wait', ms: 2000 }, { kind: 'wait', ms: 4000 }, giveUp],
  );
});

test('jitter changes a wait by at most a quarter', () => {
  assert.deepEqual(afterFailure(busy, 1, { ...bounds, random: 0 }), { kind: 'wait', ms: 750 });
  assert.deepEqual(afterFailure(busy, 1, { ...bounds, random: 0.999_999 }), { kind: 'wait', ms: 1250 });
});

test('with no retries allowed the first failure is the last', () => {
  assert.deepEqual(afterFailure(busy, 1, { ...bounds, maxRetries: 0 }), giveUp);
});

test('a transient failure is retried', () => {
  const passing: Failure[] = [
    ...[408, 425, 429, 500, 502, 503, 504, 599].map((status): Failure => ({ kind: 'status', status })),
    ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'].map(
      (code): Failure => ({ kind: 'unreachable', code }),
    ),
    { kind: 'timeout' },
    { kind: 'truncated' },
  ];
  for (const failure of passing) {
    assert.equal(afterFailure(failure, 1, bounds).kind, 'wait', JSON.stringify(failure));
  }
});

test('a permanent failure is not retried', () => {
  const lasting: Failure[] = [
    ...[204, 206, 302, 304, 400, 401, 403, 404, 410, 451].map((status): Failure => ({ kind: 'status', status })),
    { kind: 'unreachable', code: 'ENOTFOUND' },
    { kind: 'tls', code: 'CERT_HAS_EXPIRED' },
    { kind: 'too large' },
    { kind: 'bad encoding' },
    { kind: 'bad response' },
    { kind: 'too many redirects' },
    { kind: 'refused redirect' },
    { kind: 'refused address' },
    { kind: 'bad url' },
  ];
  for (const failure of lasting) assert.deepEqual(afterFailure(failure, 1, bounds), giveUp, JSON.stringify(failure));
});

test('a later Retry-After is respected', () => {
  assert.deepEqual(afterFailure({ ...busy, retryAfterMs: 20_000 }, 1, bounds), { kind: 'wait', ms: 20_000 });
});

test('an earlier Retry-After does not shorten the wait', () => {
  for (const retryAfterMs of [0, 500]) {
    assert.deepEqual(afterFailure({ ...busy, retryAfterMs }, 3, bounds), { kind: 'wait', ms: 4000 });
  }
});

test('a Retry-After beyond the budget ends the attempts at once', () => {
  assert.deepEqual(afterFailure({ ...busy, retryAfterMs: 3_600_000 }, 1, bounds), giveUp);
});

test('a wait that would use up the budget is not started', () => {
  assert.deepEqual(afterFailure(busy, 1, { ...bounds, budgetLeftMs: 1000 }), giveUp);
  assert.equal(afterFailure(busy, 1, { ...bounds, budgetLeftMs: 1001 }).kind, 'wait');
});
