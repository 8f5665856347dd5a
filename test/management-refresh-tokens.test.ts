import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Management, PASSWORD, startManagement } from './support/management.ts';
import { databases } from './support/store/stores.ts';

const EMAIL = 'anna@example.org';
const TOKEN = '/oapi/v1/oauth_token';
const DAY_MS = 86_400_000;

const signIn = async ({ ask, account }: Management, more: Record<string, string>) => {
  await account(EMAIL);
  return (await ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD, ...more } })).json;
};

const refresh = ({ ask }: Management, refresh_token: string, more: Record<string, string> = {}) =>
  ask('POST', TOKEN, { form: { refresh_token, ...more } });

const isOpen = async ({ ask }: Management, accessToken: string): Promise<boolean> =>
  (await ask('GET', '/api/v1/session', { as: `Bearer ${accessToken}` })).status === 200;

for (const [database, newDatabase] of Object.entries(databases))
  test(`${database}: a rotating refresh token is replaced by each use, and a replaced one ends the sign-in`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const management = await startManagement(t, {}, options);
    const { clock, ask } = management;
    const first = await signIn(management, { rotate_refresh_token: 'true' });
    const second = (await refresh(management, first.refresh_token)).json;
    assert.notEqual(second.refresh_token, first.refresh_token);
    // A client that lost the response, and two requests at once, get the same new token.
    clock.now += 5_000;
    const repeated = await Promise.all([
      refresh(management, first.refresh_token),
      refresh(management, first.refresh_token),
    ]);
    for (const { json } of repeated) assert.equal(json.refresh_token, second.refresh_token);
    const concurrent = await Promise.all([
      refresh(management, second.refresh_token),
      refresh(management, second.refresh_token),
    ]);
    const [third] = concurrent.map(({ json }) => json);
    assert.deepEqual(
      concurrent.map(({ status, json }) => [status, json.refresh_token]),
      [200, 200].map((status) => [status, third.refresh_token]),
    );
    assert.equal(await isOpen(management, third.access_token), true);
    clock.now += 30_000;
    const reused = await refresh(management, second.refresh_token);
    assert.deepEqual([reused.status, reused.json.error_code], [401, 'invalid_refresh_token']);
    assert.equal((await refresh(management, third.refresh_token)).status, 401, 'the whole sign-in has ended');
    for (const { access_token } of [first, second, third]) assert.equal(await isOpen(management, access_token), false);
    const as = `Bearer ${(await ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD } })).json.access_token}`;
    const { json: audit } = await ask('GET', '/api/v1/audit', { as });
    assert.ok(audit.items.some(({ action }: { action: string }) => action === 'session.reused'));
  });

test('a client opts in when it signs in below /api/v1 or when it refreshes; others keep their token', async (t) => {
  const management = await startManagement(t);
  const { ask } = management;
  const old = await signIn(management, {});
  for (let time = 0; time < 3; time++)
    assert.equal((await refresh(management, old.refresh_token)).json.refresh_token, old.refresh_token);
  const next = (await refresh(management, old.refresh_token, { rotate_refresh_token: 'true' })).json;
  assert.notEqual(next.refresh_token, old.refresh_token);
  assert.notEqual((await refresh(management, next.refresh_token)).json.refresh_token, next.refresh_token);
  const json = { email: EMAIL, password: PASSWORD, rotate_refresh_token: true };
  const own = (await ask('POST', '/api/v1/session', { json })).json;
  assert.notEqual((await refresh(management, own.refresh_token)).json.refresh_token, own.refresh_token);
});

test('refresh tokens expire after 90 days without use', async (t) => {
  const management = await startManagement(t);
  const { clock, ask, store } = management;
  const { refresh_token } = await signIn(management, {});
  for (let time = 0; time < 3; time++) {
    clock.now += 89 * DAY_MS;
    assert.equal((await refresh(management, refresh_token)).status, 200);
  }
  clock.now += 90 * DAY_MS;
  assert.equal((await refresh(management, refresh_token)).status, 401);
  const { json } = await ask('POST', '/api/v1/session', { json: { email: EMAIL, password: PASSWORD } });
  const sessions = await ask('GET', '/api/v1/sessions', { as: `Bearer ${json.access_token}` });
  assert.equal(sessions.json.length, 1);
  await store.inTransaction(({ tokens }) => tokens.expire(clock.now, { pages: clock.now - DAY_MS, persistent: 0 }));
  const { account, id } = (await store.read.users.byEmail(EMAIL))!;
  assert.equal((await store.read.tokens.sessions(account, id)).length, 1);
});
