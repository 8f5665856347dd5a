import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { fromBase32 } from '../src/domain/base-encoding.ts';
import { TooBusy } from '../src/domain/store-error.ts';
import { totpCode } from '../src/domain/totp.ts';
import { type Answer, type Management, PASSWORD, startManagement } from './support/management.ts';

const EMAIL = 'anna@example.org';
const TOKEN = '/oapi/v1/oauth_token';

const codeAt = (secret: string, time: number): string =>
  totpCode(fromBase32(secret)!, Math.floor(time / 30_000), (key, message) =>
    createHmac('sha1', key).update(message).digest(),
  );

const whoIs = ({ ask }: Management, as: string): Promise<Answer> => ask('GET', '/api/v1/session', { as });

test('tokens are given for a password, sent as a form or as JSON, with or without grant_type', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  await account(EMAIL);
  const fields = { username: EMAIL, password: PASSWORD };
  const wishes = [
    { form: fields },
    { form: { ...fields, grant_type: 'password' } },
    { form: { ...fields, username: EMAIL.toUpperCase(), unknown: 'x' } },
    { json: fields },
    { json: { ...fields, grant_type: 'password' } },
    { json: { ...fields, grant_type: 'password', mfa_token: null, refresh_token: null } },
  ];
  for (const wish of wishes) {
    const { status, json, headers } = await ask('POST', TOKEN, wish);
    assert.equal(status, 200, JSON.stringify(wish));
    assert.deepEqual([json.token_type, json.expires_in], ['bearer', 30 * 86_400]);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal((await whoIs(management, `bEaReR ${json.access_token}`)).json.email, EMAIL);
  }
});

test('a refresh token is traded for an access token and stays the same', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  await account(EMAIL);
  const { json: first } = await ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD } });
  for (const extra of [{}, { grant_type: 'refresh_token' }] as const) {
    const { json } = await ask('POST', TOKEN, { form: { refresh_token: first.refresh_token, ...extra } });
    assert.equal(json.refresh_token, first.refresh_token);
    assert.notEqual(json.access_token, first.access_token);
    assert.equal((await whoIs(management, `Bearer ${json.access_token}`)).status, 200);
  }
});

test('missing fields are 400; wrong credentials are 401 and do not reveal whether the user exists', async (t) => {
  const { ask, account } = await startManagement(t);
  await account(EMAIL);
  const without = await ask('POST', TOKEN, { form: { username: EMAIL } });
  assert.equal(without.status, 400);
  assert.deepEqual(without.json, {
    error_code: 'BAD_REQUEST',
    fields: [{ error_code: 'FIELD_REQUIRED', field: 'password', message: 'Field is required' }],
    message: 'Validation failed',
    error: 'invalid_request',
    error_description: 'password: Field is required',
  });
  const unknownGrant = await ask('POST', TOKEN, { form: { grant_type: 'x' } });
  assert.deepEqual([unknownGrant.status, unknownGrant.json.error], [400, 'unsupported_grant_type']);
  const empty = await ask('POST', TOKEN);
  assert.deepEqual([empty.status, empty.json.error, empty.json.fields], [400, 'invalid_request', []]);
  assert.equal((await ask('POST', TOKEN, { form: { grant_type: 'magic' } })).json.fields[0].field, 'grant_type');
  const wrong = await ask('POST', TOKEN, { form: { username: EMAIL, password: 'wrong' } });
  const nobody = await ask('POST', TOKEN, { form: { username: 'no@example.org', password: 'wrong' } });
  assert.deepEqual([wrong.status, wrong.text], [401, nobody.text]);
  assert.deepEqual(Object.keys(wrong.json), ['error', 'error_code', 'error_description']);
  assert.equal((await ask('POST', TOKEN, { form: { refresh_token: 'weir_rt_no' } })).status, 401);
});

test('guessing is throttled, also in parallel, without permanent lockouts', async (t) => {
  const { ask, account, clock } = await startManagement(t);
  await account(EMAIL);
  const guess = (): Promise<Answer> => ask('POST', TOKEN, { form: { username: EMAIL, password: 'wrong' } });
  const statuses = (await Promise.all(Array.from({ length: 50 }, guess))).map(({ status }) => status);
  assert.deepEqual(Map.groupBy(statuses, (status) => status).get(401)?.length, 5);
  const slowed = await guess();
  assert.equal(slowed.status, 429);
  assert.equal(slowed.headers.get('retry-after'), '1');
  assert.deepEqual([slowed.json.error_code, slowed.json.error], ['UNKNOWN', 'temporarily_unavailable']);
  clock.now += 15 * 60_000;
  assert.equal((await ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD } })).status, 200);
});

test('a sign-in while too many passwords are checked gets Retry-After and does not count as a failure', async (t) => {
  const busy = new TooBusy('too many');
  let isBusy = false;
  const passwords = {
    hash: async (password: string) => password,
    verify: async (password: string, hash: string) => {
      if (isBusy) throw busy;
      return password === hash ? ('right' as const) : ('wrong' as const);
    },
    hasRoom: () => true,
    noteSignedIn: () => {},
    dummyHash: '',
  };
  const { ask, account } = await startManagement(t, { passwords });
  await account(EMAIL);
  const sign = (): Promise<Answer> => ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD } });
  isBusy = true;
  for (let time = 0; time < 10; time++) {
    const { status, headers } = await sign();
    assert.deepEqual([status, headers.get('retry-after')], [429, '2']);
  }
  isBusy = false;
  assert.equal((await sign()).status, 200);
});

test('a correct sign-in is never throttled', async (t) => {
  const { ask, account } = await startManagement(t);
  await account(EMAIL);
  for (let time = 0; time < 20; time++)
    assert.equal((await ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD } })).status, 200);
});

test('a refresh token is revoked by query, form field refresh_token or form field token', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  await account(EMAIL);
  const ways = [
    (token: string) => ask('POST', `/oapi/v1/revoke_token?refresh_token=${token}`),
    (token: string) =>
      ask('POST', `/oapi/v1/revoke_token?refresh_token=${token}`, { headers: { 'content-type': 'application/json' } }),
    (token: string) => ask('POST', '/oapi/v1/revoke_token', { form: { refresh_token: token } }),
    (token: string) => ask('POST', '/oapi/v1/revoke_token', { form: { token } }),
  ];
  for (const revoke of ways) {
    const { json } = await ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD } });
    const revoked = await revoke(json.refresh_token);
    assert.deepEqual([revoked.status, revoked.text], [200, '']);
    assert.equal((await whoIs(management, `Bearer ${json.access_token}`)).status, 401);
    assert.equal((await ask('POST', TOKEN, { form: { refresh_token: json.refresh_token } })).status, 401);
    assert.equal((await revoke(json.refresh_token)).status, 200);
  }
  assert.equal((await ask('POST', '/oapi/v1/revoke_token')).status, 400);
});

test('the second factor is required after the correct password only, and each code works once', async (t) => {
  const { ask, account, clock } = await startManagement(t);
  const as = await account(EMAIL);
  const { json: begun } = await ask('POST', '/api/v1/second_factor', { as, json: { password: PASSWORD } });
  assert.match(begun.uri, /^otpauth:\/\/totp\/Weir:anna%40example\.org\?secret=/);
  const confirm = { code: codeAt(begun.secret, clock.now) };
  const { json: confirmed } = await ask('POST', '/api/v1/second_factor/confirm', { as, json: confirm });
  assert.equal(confirmed.recovery_codes.length, 10);

  const sign = (more: object) => ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD, ...more } });
  const asked = await sign({});
  assert.equal(asked.status, 401);
  assert.deepEqual(asked.json, {
    error: 'unauthorized',
    error_code: '2fa_required',
    error_description: '2FA is required',
  });
  const blind = await ask('POST', TOKEN, { form: { username: EMAIL, password: 'wrong' } });
  assert.notEqual(blind.json.error_code, '2fa_required');
  assert.equal((await sign({ mfa_token: codeAt(begun.secret, clock.now) })).status, 401);
  clock.now += 30_000;
  const code = codeAt(begun.secret, clock.now);
  assert.equal((await sign({ mfa_token: code })).status, 200);
  assert.equal((await sign({ mfa_token: code })).status, 401);
  const [recovery] = confirmed.recovery_codes;
  assert.equal((await sign({ mfa_token: recovery.toLowerCase() })).status, 200);
  assert.equal((await sign({ mfa_token: recovery })).status, 401);

  clock.now += 3_600_000;
  const disable = { password: PASSWORD, code: codeAt(begun.secret, clock.now) };
  assert.equal((await ask('POST', '/api/v1/second_factor/disable', { as, json: disable })).status, 200);
  assert.equal((await sign({})).status, 200);
});

test('an API key has the rights of its owner, except for members and keys', async (t) => {
  const management = await startManagement(t);
  const { ask, account, store } = management;
  const as = await account(EMAIL);
  const { json: key } = await ask('POST', '/api/v1/api_keys', { as, json: { name: 'script' } });
  const byKey = `ApiKey ${key.api_key}`;
  for (const form of [byKey, `Bearer ${key.api_key}`, key.api_key])
    assert.equal((await ask('GET', '/oapi/v1/devices', { as: form })).status, 200, form);
  // An access token needs its scheme.
  for (const form of [as.slice('Bearer '.length), as.replace('Bearer', 'ApiKey')])
    assert.equal((await ask('GET', '/oapi/v1/devices', { as: form })).status, 401, form);
  assert.equal((await ask('POST', '/oapi/v1/dns_servers', { as: byKey, json: { name: 'Kids' } })).status, 200);
  assert.equal((await ask('POST', '/api/v1/api_keys', { as: byKey, json: { name: 'more' } })).status, 403);
  assert.equal((await ask('GET', '/api/v1/audit', { as: byKey })).status, 403);
  await store.flush();
  const { json: keys } = await ask('GET', '/api/v1/api_keys', { as });
  assert.equal(keys[0].last_used_millis, management.clock.now);
  assert.equal(JSON.stringify(keys).includes(key.api_key), false);
  assert.equal((await ask('DELETE', `/api/v1/api_keys/${key.id}`, { as })).status, 200);
  assert.equal((await ask('GET', '/oapi/v1/devices', { as: byKey })).status, 401);
});

test('tokens end with their time, with the suspension of the account, and with a new password', async (t) => {
  const management = await startManagement(t);
  const { ask, account, store, clock } = management;
  const as = await account(EMAIL);
  const { account: id } = (await store.read.users.byEmail(EMAIL))!;
  const whole = (await store.read.accounts.find(id))!;
  await store.inTransaction(({ accounts }) => accounts.update({ ...whole, isSuspended: true }));
  assert.equal((await whoIs(management, as)).status, 401);
  assert.equal((await ask('POST', TOKEN, { form: { username: EMAIL, password: PASSWORD } })).status, 401);
  await store.inTransaction(({ accounts }) => accounts.update(whole));
  assert.equal((await whoIs(management, as)).status, 200);

  const update = { current_password: PASSWORD, new_password: 'another horse, another staple' };
  const weak = await ask('PUT', '/api/v1/password', { as, json: { ...update, new_password: 'password' } });
  assert.deepEqual([weak.status, weak.json.fields[0].field], [400, 'new_password']);
  const { json: renewed } = await ask('PUT', '/api/v1/password', { as, json: update });
  assert.equal((await whoIs(management, as)).status, 401);
  assert.equal((await whoIs(management, `Bearer ${renewed.access_token}`)).status, 200);
  clock.now += 30 * 86_400_000 + 1;
  assert.equal((await whoIs(management, `Bearer ${renewed.access_token}`)).status, 401);
});

test('signing out ends the tokens of this sign-in and no others', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  const one = await account(EMAIL);
  const { json } = await ask('POST', '/api/v1/session', { json: { email: EMAIL, password: PASSWORD } });
  assert.equal((await ask('DELETE', '/api/v1/session', { as: one })).status, 200);
  assert.equal((await whoIs(management, one)).status, 401);
  assert.equal((await whoIs(management, `Bearer ${json.access_token}`)).status, 200);
});

test('a set-up token works once, and two concurrent uses create one account', async (t) => {
  const { ask, account, store } = await startManagement(t);
  const wrong = { token: 'weir_setup_no', email: EMAIL, password: PASSWORD };
  assert.equal((await ask('POST', '/api/v1/set_up', { json: wrong })).status, 400);
  const tries = await Promise.allSettled([account(EMAIL), account('berta@example.org')]);
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(await store.read.accounts.count(), 1);
});

test('only a registered client gets a code or a token through the browser', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  const as = await account(EMAIL);
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const redirect_uri = 'https://router.example/back';
  const path = (more: Record<string, string>): string =>
    `/oapi/v1/oauth_authorize?${new URLSearchParams({ client_id: 'router', redirect_uri, state: 'a b', ...more }).toString()}`;
  const coded = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' };

  const stranger = await ask('GET', path(coded));
  assert.equal(stranger.status, 302);
  assert.match(stranger.headers.get('location')!, /^\/sign-in\?client_id=router&/);
  for (const wrong of [{ client_id: 'other' }, { redirect_uri: 'https://evil.example/' }])
    assert.equal((await ask('GET', path({ ...coded, ...wrong }), { as })).status, 400);
  const plain = await ask('GET', path({ ...coded, code_challenge_method: 'plain' }), { as });
  assert.match(plain.headers.get('location')!, /\?error=invalid_request&state=a\+b$/);

  const back = new URL((await ask('GET', path(coded), { as })).headers.get('location')!);
  assert.equal(back.searchParams.get('state'), 'a b');
  const code = back.searchParams.get('code')!;
  const trade = { grant_type: 'authorization_code', code, client_id: 'router', redirect_uri, code_verifier: verifier };
  const { json } = await ask('POST', TOKEN, { form: trade });
  assert.deepEqual(Object.keys(json).sort(), ['access_token', 'expires_in', 'token_type']);
  assert.equal((await whoIs(management, `Bearer ${json.access_token}`)).status, 200);
  const key = { as: `Bearer ${json.access_token}`, json: { name: 'for ever' } };
  assert.equal((await ask('POST', '/api/v1/api_keys', key)).status, 403);
  assert.equal((await ask('POST', TOKEN, { form: trade })).status, 401);
  assert.equal(
    (await whoIs(management, `Bearer ${json.access_token}`)).status,
    401,
    'a second use ends the first token',
  );

  const granted = { client_id: 'router', redirect_uri, ...coded };
  const other = new URL((await ask('POST', '/api/v1/authorizations', { as, json: granted })).json.location);
  const stolen = { ...trade, code: other.searchParams.get('code')!, code_verifier: 'w'.repeat(43) };
  assert.equal((await ask('POST', TOKEN, { form: stolen })).status, 401);

  const implicit = (await ask('GET', path({ response_type: 'token' }), { as })).headers.get('location')!;
  const fragment = new URLSearchParams(new URL(implicit).hash.slice(1));
  assert.deepEqual([fragment.get('token_type'), fragment.get('expires_in')], ['Bearer', '3600']);
  assert.equal((await whoIs(management, `Bearer ${fragment.get('access_token')}`)).status, 200);
});

test('without registered clients there is no redirect', async (t) => {
  const { ask } = await startManagement(t, { oauth: { clients: [], signInPage: '/sign-in' } });
  const path = '/oapi/v1/oauth_authorize?client_id=router&redirect_uri=https://router.example/&response_type=token';
  assert.equal((await ask('GET', path)).status, 400);
});
