import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, openApi } from '../../test/support/api.ts';
import { PASSWORD } from '../../test/support/management.ts';
import { fromBase32 } from '../domain/base-encoding.ts';
import { totpCode } from '../domain/totp.ts';
import { checkFactor, proveFactor } from './check-second-factor.ts';
import { secondFactorOperations } from './second-factor.ts';

const STEP_MS = 30_000;
const codeOf = ({ deps, clock }: Api, secret: string): string =>
  totpCode(fromBase32(secret)!, Math.floor(clock.now / STEP_MS), deps.hmacSha1);
const proof = { body: { password: PASSWORD } };

/** An account with two-factor authentication. */
async function openEnabled(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, secondFactorOperations);
  const home = await api.account('home');
  const { secret } = (await api.done('beginSecondFactor', home, proof)).reply;
  const { reply } = await api.done('confirmSecondFactor', home, { body: { code: codeOf(api, secret) } });
  const check = async (code: string | undefined) => {
    const user = (await api.store.read.users.find(home.account, home.user))!;
    return api.store.inTransaction(async (store) => {
      const factor = await checkFactor(store, api.deps, user, code);
      if (factor.kind === 'right') await store.users.update(factor.user);
      return factor.kind;
    });
  };
  return { ...api, home, secret: secret as string, recoveryCodes: reply.recovery_codes as string[], check };
}

test('a code is accepted once, and a recovery code in its place once', async (t) => {
  const api = await openEnabled(t);
  const { check, clock, secret, recoveryCodes } = api;
  assert.equal(await check(codeOf(api, secret)), 'wrong');
  clock.now += STEP_MS;
  assert.equal(await check(codeOf(api, secret)), 'right');
  assert.equal(await check(codeOf(api, secret)), 'wrong');
  const spaced = recoveryCodes[0]!.toUpperCase();
  assert.equal(await check(spaced), 'right');
  assert.equal(await check(spaced), 'wrong');
  assert.equal(await check(' '), 'missing');
  assert.equal(await check(undefined), 'missing');
});

test('wrong codes are slowed down until some time has passed', async (t) => {
  const api = await openEnabled(t);
  const kinds: string[] = [];
  for (let attempt = 0; attempt < 20 && kinds.at(-1) !== 'slow down'; attempt += 1)
    kinds.push(await api.check('000000'));
  assert.equal(kinds.at(-1), 'slow down');
  assert.equal(await api.check(api.recoveryCodes[0]), 'slow down');
  api.clock.now += 86_400_000;
  assert.equal(await api.check(codeOf(api, api.secret)), 'right');
});

test('a missing and a wrong code of a signed-in user are errors of the field', async (t) => {
  const { store, deps, home } = await openEnabled(t);
  const user = (await store.read.users.find(home.account, home.user))!;
  for (const code of [undefined, '000000']) {
    const result = await store.inTransaction((transaction) => proveFactor(transaction, deps, user, code));
    assert.ok(!result.ok && result.error.kind === 'invalid');
    assert.deepEqual(
      [result.error.errors[0]!.field, result.error.errors[0]!.kind],
      ['code', code ? 'wrong value' : 'required'],
    );
  }
});

test('a setup is confirmed within its time and with few wrong codes, else it starts again', async (t) => {
  const api = await openApi(t, secondFactorOperations);
  const { call, done, clock } = api;
  const home = await api.account('home');
  const begin = async (): Promise<string> => (await done('beginSecondFactor', home, proof)).reply.secret;
  const confirm = async (code: string): Promise<boolean> =>
    (await call('confirmSecondFactor', home, { body: { code } })).ok;
  assert.equal(await confirm('000000'), false);
  const guessed = await begin();
  for (let wrong = 0; wrong < 5; wrong += 1) assert.equal(await confirm('000000'), false);
  assert.equal(await confirm(codeOf(api, guessed)), false);
  let secret = await begin();
  for (let wrong = 0; wrong < 4; wrong += 1) assert.equal(await confirm('000000'), false);
  assert.equal(await confirm(codeOf(api, secret)), true);
  secret = await begin().catch(() => '');
  assert.equal(secret, '', 'replacing a second factor requires a code of it');
  const other = await api.account('other');
  const begun = (await done('beginSecondFactor', other, proof)).reply.secret;
  clock.now += 15 * 60_000;
  assert.equal((await call('confirmSecondFactor', other, { body: { code: codeOf(api, begun) } })).ok, false);
});

test('disabling and new recovery codes require password and code; old recovery codes are invalid then', async (t) => {
  const api = await openEnabled(t);
  const { call, done, home, clock, secret, check, recoveryCodes } = api;
  assert.equal(
    (await call('createRecoveryCodes', home, { body: { password: 'wrong', code: recoveryCodes[0] } })).ok,
    false,
  );
  assert.equal((await call('createRecoveryCodes', home, proof)).ok, false);
  clock.now += STEP_MS;
  const withCode = { body: { password: PASSWORD, code: codeOf(api, secret) } };
  const { reply } = await done('createRecoveryCodes', home, withCode);
  assert.equal(await check(recoveryCodes[1]), 'wrong');
  assert.equal(await check(reply.recovery_codes[0]), 'right');
  assert.equal((await call('disableSecondFactor', home, proof)).ok, false);
  await done('disableSecondFactor', home, { body: { password: PASSWORD, code: reply.recovery_codes[1] } });
  assert.equal(await check(undefined), 'right');
  assert.equal((await call('createRecoveryCodes', home, proof)).ok, false);
});
