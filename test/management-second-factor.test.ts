import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { Deps } from '../src/api/deps.ts';
import { fromBase32 } from '../src/domain/base-encoding.ts';
import { totpCode } from '../src/domain/totp.ts';
import { guessCodes } from './support/attacks/second-factor-guessing.ts';
import { type Management, PASSWORD, startManagement } from './support/management.ts';
import { databases } from './support/store/stores.ts';

const EMAIL = 'anna@example.org';

const codeAt = (secret: string, time: number): string =>
  totpCode(fromBase32(secret)!, Math.floor(time / 30_000), (key, message) =>
    createHmac('sha1', key).update(message).digest(),
  );

/** An account with a second factor; the clock is past the code that confirmed it. */
async function withFactor({ ask, account, clock }: Management) {
  const as = await account(EMAIL);
  const { json: begun } = await ask('POST', '/api/v1/second_factor', { as, json: { password: PASSWORD } });
  const { json } = await ask('POST', '/api/v1/second_factor/confirm', {
    as,
    json: { code: codeAt(begun.secret, clock.now) },
  });
  clock.now += 60_000;
  return { as, code: () => codeAt(begun.secret, clock.now), recovery: json.recovery_codes as string[] };
}

const byHeader: Deps['clientOf'] = ({ headers }) => String(headers['x-from'] ?? '127.0.0.1');

for (const [database, newDatabase] of Object.entries(databases))
  test(`${database}: wrong codes are throttled per account, from all addresses`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const management = await startManagement(t, { clientOf: byHeader }, options);
    const { ask, clock } = management;
    const { code } = await withFactor(management);
    const guess = (from: string, mfa_token: string) =>
      ask('POST', '/oapi/v1/oauth_token', {
        form: { username: EMAIL, password: PASSWORD, mfa_token },
        headers: { 'x-from': from },
      });
    const known = { url: management.url, email: EMAIL, password: PASSWORD };
    const statuses = await guessCodes({ ...known, addressHeader: 'x-from', guesses: 50 });
    const checked = statuses.filter((status) => status === 401).length;
    assert.equal(checked + statuses.filter((status) => status === 429).length, 50);
    t.diagnostic(`codes checked: ${checked} of 50`);
    assert.equal(checked, 5);
    // A client without the password neither sees nor causes the throttle.
    const outsider = await ask('POST', '/oapi/v1/oauth_token', {
      form: { username: EMAIL, password: 'wrong', mfa_token: '000000' },
      headers: { 'x-from': '198.51.100.1' },
    });
    assert.equal(outsider.status, 401);
    clock.now += 60_000;
    assert.equal((await guess('203.0.113.1', code())).status, 200);
    clock.now += 60_000;
    assert.equal((await guess('203.0.113.2', 'wrong')).status, 401, 'a right code ends the throttle');
  });

test('an e-mail change takes the password and a code of the second factor', async (t) => {
  const management = await startManagement(t);
  const { ask } = management;
  const { as, code } = await withFactor(management);
  const change = (more: object) =>
    ask('PUT', '/api/v1/email', { as, json: { email: 'new@example.org', current_password: PASSWORD, ...more } });
  assert.equal((await change({})).json.fields[0].field, 'code');
  assert.equal((await change({ code: 'wrong' })).json.fields[0].field, 'code');
  assert.equal((await change({ code: code(), current_password: 'wrong' })).json.fields[0].field, 'current_password');
  assert.equal((await change({ code: code() })).json.email, 'new@example.org');
  const { json: audit } = await ask('GET', '/api/v1/audit', { as });
  const entry = audit.items.find(({ action }: { action: string }) => action === 'member.email');
  assert.deepEqual([entry.before, entry.after], [{ email: EMAIL }, { email: 'new@example.org' }]);
});

test('a new password that is refused does not count as a failed sign-in', async (t) => {
  const { ask, account } = await startManagement(t);
  const as = await account(EMAIL);
  for (let time = 0; time < 10; time++) {
    const json = { current_password: PASSWORD, new_password: 'password' };
    assert.equal((await ask('PUT', '/api/v1/password', { as, json })).status, 400);
  }
  assert.equal((await ask('POST', '/api/v1/session', { json: { email: EMAIL, password: PASSWORD } })).status, 200);
});
