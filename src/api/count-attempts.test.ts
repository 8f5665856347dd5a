import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFor, temporaryFolder } from '../../test/support/store/stores.ts';
import type { AttemptKeys } from '../domain/login-throttle.ts';
import { countAttempt } from './count-attempts.ts';

const keys: AttemptKeys = { cleared: ['account'], refunded: ['address'] };
const now = (): number => 1_000_000;

test('attempts are counted outside of the database, and in it while that is not possible', async (t) => {
  const store = await openFor(t, { folder: temporaryFolder(t) });
  const failures = async () => (await store.read.throttles.get('address'))?.failures ?? 0;
  const refunded: AttemptKeys[] = [];
  let wait: number | undefined = 0;
  const sharedAttempts = { count: async () => wait, refund: (given: AttemptKeys) => void refunded.push(given) };
  const count = () => countAttempt({ store, sharedAttempts, now }, keys);

  const shared = await count();
  assert.ok(shared.ok);
  assert.equal(await failures(), 0);
  // A transaction that runs again takes the attempt back once.
  for (let run = 0; run < 2; run += 1) await store.inTransaction(shared.value);
  assert.deepEqual(refunded, [keys]);
  wait = 1500;
  assert.deepEqual(await count(), { ok: false, error: { kind: 'slow down', retryAfterSeconds: 1.5 } });

  wait = undefined;
  const stored = await count();
  assert.ok(stored.ok);
  assert.equal(await failures(), 1);
  wait = 0;
  await store.inTransaction(stored.value);
  assert.equal(await failures(), 0, 'it is taken back where it was counted');
  assert.equal(refunded.length, 1);
});
