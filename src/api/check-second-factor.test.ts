import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { userNamed } from '../../test/support/store/accounts.ts';
import { fromBase32 } from '../domain/base-encoding.ts';
import { factorThrottleKey } from '../domain/login-throttle.ts';
import { totpCode } from '../domain/totp.ts';
import { hashOf } from '../operations/new-secrets.ts';
import { checkFactor, proveFactor } from './check-second-factor.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const STEP_MS = 30_000;

async function openFactor(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, []);
  const { deps, store, clock } = api;
  const user = userNamed('anna', {
    totpSecret: SECRET,
    recoveryCodeHashes: [hashOf(deps, 'ABCDEFGHIJKLMNOP'), 'another hash'],
  });
  const step = (): number => Math.floor(clock.now / STEP_MS);
  const code = (): string => totpCode(fromBase32(SECRET)!, step(), deps.hmacSha1);
  const check = (given: string | undefined, as = user) =>
    store.inTransaction((transaction) => checkFactor(transaction, deps, as, given));
  const prove = (given: string | undefined, as = user) =>
    store.inTransaction((transaction) => proveFactor(transaction, deps, as, given));
  const failures = async () => (await store.read.throttles.get(factorThrottleKey(user.id)))?.failures;
  return { ...api, user, step, code, check, prove, failures };
}

test('a user without a second factor needs no code, and a given one is ignored', async (t) => {
  const { check, failures, user } = await openFactor(t);
  const without = { ...user, totpSecret: undefined };
  for (const code of [undefined, '000000'])
    assert.deepEqual(await check(code, without), { kind: 'right', user: without });
  assert.equal(await failures(), undefined);
});

test('an absent and a blank code are missing, and do not count as failures', async (t) => {
  const { check, failures } = await openFactor(t);
  for (const code of [undefined, '', '  ']) assert.deepEqual(await check(code), { kind: 'missing' });
  assert.equal(await failures(), undefined);
});

test('the step of a valid code is consumed', async (t) => {
  const { check, code, step, user } = await openFactor(t);
  const used = { ...user, totpLastStep: step() };
  assert.deepEqual(await check(code()), { kind: 'right', user: used });
  assert.deepEqual(await check(code(), used), { kind: 'wrong' });
});

test('a recovery code is consumed in any spelling; the others stay valid', async (t) => {
  const { check, user } = await openFactor(t);
  const used = { ...user, recoveryCodeHashes: ['another hash'] };
  assert.deepEqual(await check('abcd-efgh ijkl-mnop'), { kind: 'right', user: used });
  assert.deepEqual(await check('ABCD-EFGH-IJKL-MNOP', used), { kind: 'wrong' });
});

test('after five wrong codes the user has to wait, also with the right one, which then clears the failures', async (t) => {
  const { check, code, clock, failures } = await openFactor(t);
  for (let wrong = 1; wrong <= 5; wrong++) {
    assert.deepEqual(await check('wrong'), { kind: 'wrong' });
    assert.equal(await failures(), wrong);
  }
  assert.deepEqual(await check(code()), { kind: 'slow down', retryAfterSeconds: 1 });
  clock.now += 400;
  assert.deepEqual(await check(code()), { kind: 'slow down', retryAfterSeconds: 0.6 });
  clock.now += 600;
  assert.equal((await check(code())).kind, 'right');
  assert.equal(await failures(), undefined);
});

test('for a signed-in user a missing and a wrong code are errors of the field', async (t) => {
  const { prove, code, step, user } = await openFactor(t);
  assert.deepEqual(await prove(code()), { ok: true, value: { ...user, totpLastStep: step() } });
  const message = 'A two-factor authentication code is required';
  const missing = { kind: 'invalid', errors: [{ field: 'code', kind: 'required', message }] };
  assert.deepEqual(await prove(undefined), { ok: false, error: missing });
  const wrong = { kind: 'invalid', errors: [{ field: 'code', kind: 'wrong value', message: 'is wrong' }] };
  for (let attempt = 0; attempt < 5; attempt++) assert.deepEqual(await prove('000'), { ok: false, error: wrong });
  assert.deepEqual(await prove(code()), { ok: false, error: { kind: 'slow down', retryAfterSeconds: 1 } });
});
