import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { authenticate, inAccount } from '../src/api/authenticate.ts';
import { isStillAllowed } from '../src/api/still-allowed.ts';
import { fromBase32 } from '../src/domain/base-encoding.ts';
import { totpCode } from '../src/domain/totp.ts';
import { type Management, PASSWORD, startManagement } from './support/management.ts';

const ANNA = 'anna@example.org';
const BEN = 'ben@example.org';
const OTHER_PASSWORD = 'staple battery horse correct';

const accept = ({ ask }: Management, token: string, password = PASSWORD) =>
  ask('POST', '/api/v1/invitations/accept', { json: { token, password } });

/** Anna and Ben have accounts; Ben is invited to Anna's. */
async function invited(t: { after(end: () => unknown): void }, role = 'admin') {
  const management = await startManagement(t);
  const { ask, account, store } = management;
  const [anna, ben] = [await account(ANNA), await account(BEN)];
  const idOf = async (email: string) => (await store.read.users.byEmail(email))!.account;
  const { json } = await ask('POST', '/api/v1/invitations', { as: anna, json: { email: BEN, role } });
  // Members are sorted by the time at which they joined.
  management.clock.now += 1000;
  return { management, anna, ben, annas: await idOf(ANNA), bens: await idOf(BEN), token: json.token as string };
}

test('a user of another account accepts an invitation with the own password, and belongs to both', async (t) => {
  const { management, anna, annas, bens, token } = await invited(t);
  const { ask } = management;
  const wrong = await accept(management, token, OTHER_PASSWORD);
  assert.deepEqual([wrong.status, wrong.json.error_code], [401, 'bad_credentials']);
  const joined = await accept(management, token);
  assert.equal(joined.status, 200, joined.text);
  assert.deepEqual([joined.json.member.email, joined.json.member.role], [BEN, 'admin']);
  assert.equal((await accept(management, token)).status, 400);
  const as = `Bearer ${joined.json.access_token}`;
  assert.equal((await ask('GET', '/api/v1/account', { as })).json.id, annas);
  assert.deepEqual((await ask('GET', '/oapi/v1/accounts', { as })).json, [
    { id: bens, owner_email: BEN, role: 'owner', current: false },
    { id: annas, owner_email: ANNA, role: 'admin', current: true },
  ]);
  const { json: members } = await ask('GET', '/api/v1/members', { as: anna });
  assert.deepEqual(
    members.map(({ email, role }: { email: string; role: string }) => [email, role]),
    [
      [ANNA, 'owner'],
      [BEN, 'admin'],
    ],
  );
  const twice = await ask('POST', '/api/v1/invitations', { as: anna, json: { email: BEN, role: 'viewer' } });
  assert.equal(twice.json.fields[0].field, 'email');
});

test('signing in chooses an account, the first one by default; a session can switch', async (t) => {
  const { management, annas, bens, token } = await invited(t);
  const { ask } = management;
  await accept(management, token);
  const signIn = (more: object) =>
    ask('POST', '/api/v1/session', { json: { email: BEN, password: PASSWORD, ...more } });
  const accountOf = async (as: string) => (await ask('GET', '/api/v1/account', { as })).json.id;
  const bearer = ({ json }: { json: { access_token: string } }) => `Bearer ${json.access_token}`;
  const first = bearer(await signIn({}));
  assert.equal(await accountOf(first), bens);
  assert.equal(await accountOf(bearer(await signIn({ account_id: annas }))), annas);
  const form = { username: BEN, password: PASSWORD, account_id: annas };
  assert.equal(await accountOf(bearer(await ask('POST', '/oapi/v1/oauth_token', { form }))), annas);
  const wrong = await signIn({ account_id: 'another' });
  assert.deepEqual([wrong.status, wrong.json.fields[0].field], [400, 'account_id']);

  const refused = await ask('PUT', '/api/v1/session/account', { as: first, json: { account_id: 'another' } });
  assert.equal(refused.status, 400);
  const switched = await ask('PUT', '/api/v1/session/account', { as: first, json: { account_id: annas } });
  assert.equal(await accountOf(bearer(switched)), annas);
  assert.equal((await ask('GET', '/api/v1/account', { as: first })).status, 401);
});

test('X-Account-Id chooses the account of a request, for members only and never for managing access', async (t) => {
  const { management, anna, ben, annas, bens, token } = await invited(t, 'viewer');
  const { ask } = management;
  const inAccount = (method: string, path: string, as: string, id: string, json?: unknown) =>
    ask(method, path, { as, headers: { 'x-account-id': id }, ...(json !== undefined && { json }) });
  assert.equal((await inAccount('GET', '/oapi/v1/dns_servers', ben, annas)).status, 403);
  await accept(management, token);
  const servers = await inAccount('GET', '/oapi/v1/dns_servers', ben, annas);
  assert.equal(servers.json[0].id, (await ask('GET', '/oapi/v1/dns_servers', { as: anna })).json[0].id);
  assert.equal((await inAccount('GET', '/oapi/v1/dns_servers', ben, bens)).status, 200);
  assert.equal((await inAccount('POST', '/oapi/v1/dns_servers', ben, annas, { name: 'Mine' })).status, 403);
  assert.equal((await inAccount('GET', '/api/v1/invitations', ben, annas)).status, 403);
  assert.equal((await inAccount('GET', '/oapi/v1/dns_servers', anna, bens)).status, 403);
  const { json: key } = await ask('POST', '/api/v1/api_keys', { as: ben, json: { name: 'script' } });
  assert.equal((await inAccount('GET', '/oapi/v1/dns_servers', key.api_key, annas)).status, 403);
  assert.deepEqual(
    (await ask('GET', '/oapi/v1/accounts', { as: key.api_key })).json.map(({ id }: { id: string }) => id),
    [bens],
  );
});

test('a removed guest loses access at once; a new password ends the sessions in every account', async (t) => {
  const { management, anna, ben, token } = await invited(t);
  const { ask, store } = management;
  const joined = await accept(management, token);
  const as = `Bearer ${joined.json.access_token}`;
  const json = { current_password: PASSWORD, new_password: OTHER_PASSWORD };
  const changed = await ask('PUT', '/api/v1/password', { as, json });
  assert.equal(changed.status, 200, changed.text);
  for (const old of [as, ben]) assert.equal((await ask('GET', '/api/v1/session', { as: old })).status, 401);
  const signedIn = await ask('POST', '/api/v1/session', { json: { email: BEN, password: OTHER_PASSWORD } });
  assert.equal(signedIn.status, 200);

  const guest = `Bearer ${changed.json.access_token}`;
  assert.equal((await ask('GET', '/api/v1/session', { as: guest })).json.role, 'admin');
  const { id } = (await store.read.users.byEmail(BEN))!;
  assert.equal((await ask('DELETE', `/api/v1/members/${id}`, { as: anna })).status, 200);
  assert.equal((await ask('GET', '/api/v1/session', { as: guest })).status, 401);
  const own = `Bearer ${signedIn.json.access_token}`;
  assert.equal((await ask('GET', '/api/v1/session', { as: own })).json.role, 'owner');
});

test('an invitation needs the second factor of a user who has one', async (t) => {
  const { management, token } = await invited(t);
  const { ask, store, clock } = management;
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const user = (await store.read.users.byEmail(BEN))!;
  await store.inTransaction((tx) => tx.users.update({ ...user, totpSecret: secret }));
  const without = await accept(management, token);
  assert.deepEqual([without.status, without.json.error_code], [401, '2fa_required']);
  const withCode = (code: string) =>
    ask('POST', '/api/v1/invitations/accept', { json: { token, password: PASSWORD, code } });
  assert.equal((await withCode('000000')).json.error_code, 'bad_credentials');
  clock.now += 60_000;
  const hmac = (key: Uint8Array, message: Uint8Array) => createHmac('sha1', key).update(message).digest();
  const code = totpCode(fromBase32(secret)!, Math.floor(clock.now / 30_000), hmac);
  assert.equal((await withCode(code)).status, 200);
  // Each code works once, in any account.
  const signIn = { email: BEN, password: PASSWORD, code };
  assert.equal((await ask('POST', '/api/v1/session', { json: signIn })).status, 401);
});

test('a suspended account is not offered: signing in opens another one', async (t) => {
  const { management, annas, bens, token } = await invited(t);
  const { ask, store } = management;
  await accept(management, token);
  const account = (await store.read.accounts.find(bens))!;
  await store.inTransaction((tx) => tx.accounts.update({ ...account, isSuspended: true }));
  const { json } = await ask('POST', '/api/v1/session', { json: { email: BEN, password: PASSWORD } });
  const as = `Bearer ${json.access_token}`;
  const { json: offered } = await ask('GET', '/oapi/v1/accounts', { as });
  assert.deepEqual(
    offered.map(({ id }: { id: string }) => id),
    [annas],
  );
  assert.equal((await ask('PUT', '/api/v1/session/account', { as, json: { account_id: bens } })).status, 400);
});

test('a stream of another account of the user ends with the session', async (t) => {
  const { management, ben, annas, token } = await invited(t);
  const { deps, store } = management;
  await accept(management, token);
  const caller = await authenticate(deps, [ben]);
  const there = caller.ok ? await inAccount(deps, caller.value, annas) : caller;
  assert.ok(there.ok && caller.ok);
  assert.equal(await isStillAllowed(deps, there.value), true);
  const { session } = caller.value;
  await store.inTransaction((tx) => tx.tokens.removeSession(caller.value.account, session!));
  assert.equal(await isStillAllowed(deps, there.value), false);
  assert.equal(await isStillAllowed(deps, caller.value), false);
});
