import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type Management, PASSWORD, startManagement } from '../../test/support/management.ts';
import { type Deviation, passkeyAuthenticator } from '../../test/support/passkey-authenticator.ts';
import { databases } from '../../test/support/store/stores.ts';
import { fromBase32 } from '../domain/base-encoding.ts';
import { totpCode } from '../domain/totp.ts';

const ORIGIN = 'https://weir.example';
const ANNA = 'anna@example.org';
const hmac = (key: Uint8Array, message: Uint8Array) => createHmac('sha1', key).update(message).digest();

async function begin({ ask }: Management, as: string) {
  const { status, json } = await ask('POST', '/api/v1/passkeys/options', { as, json: { password: PASSWORD } });
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

/** An authenticator with a registered passkey, and its id. */
async function registered(management: Management, as: string) {
  const authenticator = passkeyAuthenticator(ORIGIN);
  const credential = authenticator.create(await begin(management, as));
  const { status, json } = await management.ask('POST', '/api/v1/passkeys', {
    as,
    json: { name: 'Phone', credential },
  });
  assert.equal(status, 200, JSON.stringify(json));
  return { ...authenticator, id: json.id as string };
}

const challenge = async ({ ask }: Management) => (await ask('POST', '/api/v1/session/passkey/options')).json;
const signIn = ({ ask }: Management, credential: object, more = {}) =>
  ask('POST', '/api/v1/session/passkey', { json: { credential, ...more } });

function onBoth(sentence: string, run: (t: TestContext, management: Management) => Promise<void>): void {
  for (const [database, newDatabase] of Object.entries(databases))
    test(`${database}: ${sentence}`, async (t) => {
      const options = await newDatabase(t);
      if (!options) return t.skip('there is no PostgreSQL here');
      return run(t, await startManagement(t, {}, options));
    });
}

onBoth('a passkey signs in without password and two-factor code', async (_, management) => {
  const { ask, account, clock } = management;
  const as = await account(ANNA);
  const { id, get } = await registered(management, as);
  const { secret } = (await ask('POST', '/api/v1/second_factor', { as, json: { password: PASSWORD } })).json;
  const code = totpCode(fromBase32(secret)!, Math.floor(clock.now / 30_000), hmac);
  assert.equal((await ask('POST', '/api/v1/second_factor/confirm', { as, json: { code } })).status, 200);
  clock.now += 60_000;
  const { status, json } = await signIn(management, get(await challenge(management)));
  assert.equal(status, 200, JSON.stringify(json));
  const mine = `Bearer ${json.access_token}`;
  assert.equal(json.member.email, ANNA);
  const [listed] = (await ask('GET', '/api/v1/passkeys', { as: mine })).json;
  assert.deepEqual(listed, {
    id,
    name: 'Phone',
    host: 'weir.example',
    created_millis: clock.now - 60_000,
    last_used_millis: clock.now,
  });
  const renamed = await ask('PUT', `/api/v1/passkeys/${id}`, { as: mine, json: { name: 'Old phone' } });
  assert.equal(renamed.json.name, 'Old phone');
  assert.equal((await ask('DELETE', `/api/v1/passkeys/${id}`, { as: mine })).status, 200);
  assert.equal((await signIn(management, get(await challenge(management)))).status, 401);
  const { items } = (await ask('GET', '/api/v1/audit', { as: mine })).json;
  assert.deepEqual(
    items.map(({ action }: { action: string }) => action).filter((action: string) => action.includes('passkey')),
    ['passkey.remove', 'passkey.update', 'passkey.create', 'passkey.begin'],
  );
});

test('a challenge is used once, and expires after five minutes', async (t) => {
  const management = await startManagement(t);
  const { ask, account, clock } = management;
  const as = await account(ANNA);
  const { get, create } = await registered(management, as);
  const options = await challenge(management);
  assert.equal((await signIn(management, get(options))).status, 200);
  assert.equal((await signIn(management, get(options))).status, 401, 'replayed');
  const late = await challenge(management);
  const lateCreation = await begin(management, as);
  clock.now += 5 * 60_000;
  assert.equal((await signIn(management, get(late))).status, 401, 'expired');
  const credential = create(lateCreation);
  const refused = await ask('POST', '/api/v1/passkeys', { as, json: { name: 'Late', credential } });
  assert.deepEqual([refused.status, refused.json.fields[0].field], [400, 'credential']);
  // A challenge of a registration does not sign in.
  const { challenge: text, rp } = await begin(management, as);
  assert.equal((await signIn(management, get({ challenge: text, rpId: rp.id }))).status, 401);
});

const wrongSignIns: Readonly<Record<string, Deviation>> = {
  'another origin': { origin: 'https://evil.example' },
  'another host name': { rpId: 'evil.example' },
  'a user that was not verified': { isVerified: false },
  'another user': { userHandle: 'b3RoZXI' },
};

test('wrong responses are refused, audited and throttled', async (t) => {
  const management = await startManagement(t);
  const { ask, account, clock } = management;
  const as = await account(ANNA);
  const { get } = await registered(management, as);
  for (const [what, deviation] of Object.entries(wrongSignIns))
    assert.equal((await signIn(management, get(await challenge(management), deviation))).status, 401, what);
  const damaged = get(await challenge(management));
  damaged.response.signature = get({ challenge: 'other', rpId: 'weir.example' }).response.signature;
  assert.equal((await signIn(management, damaged)).status, 401);
  const started = await ask('POST', '/api/v1/session/passkey/options');
  assert.deepEqual([started.status, started.headers.get('retry-after')], [429, '1']);
  clock.now += 60_000;
  assert.equal((await signIn(management, get(await challenge(management)))).status, 200);
  const { items } = (await ask('GET', '/api/v1/audit', { as })).json;
  assert.equal(items.filter(({ action }: { action: string }) => action === 'session.refused').length, 5);
});

test('wrong registrations are refused', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  const as = await account(ANNA);
  const { id, create } = await registered(management, as);
  const wrong = await ask('POST', '/api/v1/passkeys/options', { as, json: { password: 'wrong' } });
  assert.deepEqual([wrong.status, wrong.json.fields[0].field], [400, 'password']);
  const again: Deviation = {};
  const refusals: Record<string, Deviation> = {
    'another origin': { origin: 'http://weir.example' },
    'another host name': { rpId: 'evil.example' },
    'a user that was not verified': { isVerified: false },
    'an attestation': { format: 'apple' },
    'the same credential again': again,
  };
  for (const [what, deviation] of Object.entries(refusals)) {
    // A new credential, except for the last case: that of a registered passkey is refused whatever else is wrong.
    const make = deviation === again ? create : passkeyAuthenticator(ORIGIN).create;
    const credential = make(await begin(management, as), deviation);
    const { status, json } = await ask('POST', '/api/v1/passkeys', { as, json: { name: 'Copy', credential } });
    assert.deepEqual([status, json.fields[0].field], [400, 'credential'], what);
  }
  // Options of another user register nothing, and passkeys of another user are not found.
  const berta = await account('berta@example.org');
  const credential = passkeyAuthenticator(ORIGIN).create(await begin(management, berta));
  assert.equal((await ask('POST', '/api/v1/passkeys', { as, json: { name: 'Mine', credential } })).status, 400);
  assert.deepEqual((await ask('GET', '/api/v1/passkeys', { as: berta })).json, []);
  const stolen = await ask('PUT', `/api/v1/passkeys/${id}`, { as: berta, json: { name: 'x' } });
  assert.deepEqual([stolen.status, (await ask('DELETE', `/api/v1/passkeys/${id}`, { as: berta })).status], [404, 404]);
});

test('a plain HTTP address has no passkeys', async (t) => {
  const { ask, account } = await startManagement(t, { publicUrl: () => 'http://192.168.1.2:3000' });
  const as = await account(ANNA);
  const begun = await ask('POST', '/api/v1/passkeys/options', { as, json: { password: PASSWORD } });
  assert.deepEqual([begun.status, (await ask('POST', '/api/v1/session/passkey/options')).status], [400, 400]);
  assert.match(begun.json.message, /require HTTPS/);
});

onBoth('passkeys work in all accounts of a user, and are deleted with the user', async (_, management) => {
  const { ask, account, store, clock } = management;
  const anna = await account(ANNA);
  const berta = await account('berta@example.org');
  const invited = { email: 'berta@example.org', role: 'viewer' };
  const { token } = (await ask('POST', '/api/v1/invitations', { as: anna, json: invited })).json;
  const joined = await ask('POST', '/api/v1/invitations/accept', { json: { token, password: PASSWORD } });
  assert.equal(joined.status, 200, JSON.stringify(joined.json));
  const { get } = await registered(management, berta);
  const [first, second] = await store.read.users.accounts((await store.read.users.byEmail('berta@example.org'))!.id);
  const other = await signIn(management, get(await challenge(management)), { account_id: second });
  assert.equal(other.json.member.role, 'viewer');
  const remove = (id: typeof first) =>
    store.inTransaction((tx) => tx.accounts.remove(id!, { id: `end of ${id}`, at: clock.now, by: 'operator' }));
  await remove(first);
  const moved = await signIn(management, get(await challenge(management)));
  assert.equal(moved.json.member.role, 'viewer', 'the user stays in the other account');
  await remove(second);
  assert.equal((await signIn(management, get(await challenge(management)))).status, 401);
  assert.deepEqual(await store.read.passkeys.list(moved.json.member.id), []);
});
