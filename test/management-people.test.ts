import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../src/api/operations.ts';
import { type Management, PASSWORD, startManagement } from './support/management.ts';

const EMAIL = 'anna@example.org';

async function invite({ ask }: Management, as: string, email: string, role: string): Promise<string> {
  const { json } = await ask('POST', '/api/v1/invitations', { as, json: { email, role } });
  const accepted = await ask('POST', '/api/v1/invitations/accept', { json: { token: json.token, password: PASSWORD } });
  assert.equal(accepted.status, 200, accepted.text);
  return `Bearer ${accepted.json.access_token}`;
}

test('an invitation makes one member, once, with the role it names', async (t) => {
  const { ask, account } = await startManagement(t);
  const as = await account(EMAIL);
  const wanted = { email: 'Vera@Example.org', role: 'viewer' };
  const { json: invitation } = await ask('POST', '/api/v1/invitations', { as, json: wanted });
  const { json: open } = await ask('GET', '/api/v1/invitations', { as });
  assert.deepEqual(open.length, 1);
  assert.partialDeepStrictEqual(invitation, open[0]);
  assert.equal('token' in open[0], false);
  const accept = () =>
    ask('POST', '/api/v1/invitations/accept', { json: { token: invitation.token, password: PASSWORD } });
  const statuses = (await Promise.all([accept(), accept()])).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [200, 400],
  );
  assert.deepEqual((await ask('GET', '/api/v1/invitations', { as })).json, []);
  const { json: members } = await ask('GET', '/api/v1/members', { as });
  assert.deepEqual(members.map(({ email, role }: { email: string; role: string }) => [email, role]).sort(), [
    [EMAIL, 'owner'],
    ['vera@example.org', 'viewer'],
  ]);
  const again = await ask('POST', '/api/v1/invitations', { as, json: wanted });
  assert.deepEqual([again.status, again.json.fields[0].field], [400, 'email']);
});

test('a revoked invitation, or one a week old, cannot be accepted', async (t) => {
  const { ask, account, clock } = await startManagement(t);
  const as = await account(EMAIL);
  const send = () => ask('POST', '/api/v1/invitations', { as, json: { email: 'v@example.org', role: 'admin' } });
  const accept = (token: string) => ask('POST', '/api/v1/invitations/accept', { json: { token, password: PASSWORD } });
  const { json: revoked } = await send();
  assert.equal((await ask('DELETE', `/api/v1/invitations/${revoked.id}`, { as })).status, 200);
  assert.equal((await accept(revoked.token)).status, 400);
  const { json: old } = await send();
  clock.now += 7 * 86_400_000;
  assert.equal((await accept(old.token)).status, 400);
});

test('a viewer reads everything and changes only their own user', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  const as = await invite(management, await account(EMAIL), 'vera@example.org', 'viewer');
  const range = '?time_from_millis=0&time_to_millis=1';
  for (const { method, path, operationId, handler } of operations) {
    if (handler.kind === 'public' || path.includes(':')) continue;
    const { status } = await ask(method, path + (method === 'GET' ? range : ''), {
      as,
      json: method === 'GET' ? undefined : {},
    });
    const isForbidden = handler.requires === 'writer' || handler.requires === 'manager';
    assert.equal(status === 403, isForbidden, `${operationId} ${status}`);
    if (operationId === 'removeSession') break;
  }
});

test('a user sees and ends their own sessions, and no others', async (t) => {
  const management = await startManagement(t);
  const { ask, account, clock } = management;
  const as = await account(EMAIL);
  const vera = await invite(management, as, 'vera@example.org', 'viewer');
  clock.now += 1000;
  const signedIn = await ask('POST', '/api/v1/session', {
    json: { email: EMAIL, password: PASSWORD },
    headers: { 'session-in': 'cookie' },
  });
  assert.equal(signedIn.status, 200, signedIn.text);
  const list = async (as: string) => (await ask('GET', '/api/v1/sessions', { as })).json;
  const mine: { id: string; kind: string; is_current: boolean }[] = await list(as);
  assert.deepEqual(
    mine.map(({ kind, is_current }) => [kind, is_current]),
    [
      ['page', false],
      ['own program', true],
    ],
  );
  const page = mine[0]!;
  const path = `/api/v1/sessions/${encodeURIComponent(page.id)}`;
  assert.equal((await ask('DELETE', path, { as: vera })).status, 404);
  assert.equal((await ask('DELETE', path, { as })).status, 200);
  assert.equal((await list(as)).length, 1);
  assert.equal((await ask('DELETE', path, { as })).status, 404);
  assert.equal((await list(vera)).length, 1);
  const { json: audit } = await ask('GET', '/api/v1/audit', { as });
  assert.deepEqual([audit.items[0].action, audit.items[0].subject], ['session.end', page.id]);
});

test('a session of a page is not shown once its time is over', async (t) => {
  const { ask, account, clock } = await startManagement(t);
  const as = await account(EMAIL);
  const json = { email: EMAIL, password: PASSWORD };
  await ask('POST', '/api/v1/session', { json, headers: { 'session-in': 'cookie' } });
  const count = async () => (await ask('GET', '/api/v1/sessions', { as })).json.length;
  assert.equal(await count(), 2);
  clock.now += 12 * 3_600_000;
  assert.equal(await count(), 1);
});

test('changing an e-mail address needs the password and an unused address', async (t) => {
  const management = await startManagement(t);
  const { ask, account } = management;
  const as = await account(EMAIL);
  await invite(management, as, 'vera@example.org', 'viewer');
  const change = (email: string, current_password = PASSWORD) =>
    ask('PUT', '/api/v1/email', { as, json: { email, current_password } });
  const field = async (answer: ReturnType<typeof change>) => (await answer).json.fields?.[0]?.field;
  assert.equal(await field(change('nobody')), 'email');
  assert.equal(await field(change('vera@example.org')), 'email');
  assert.equal(await field(change('new@example.org', 'a wrong password')), 'current_password');
  const { status, json } = await change(' New@Example.org ');
  assert.deepEqual([status, json.email], [200, 'new@example.org']);
  assert.equal((await ask('GET', '/api/v1/session', { as })).json.email, 'new@example.org');
  const signIn = (email: string) => ask('POST', '/api/v1/session', { json: { email, password: PASSWORD } });
  assert.deepEqual([(await signIn(EMAIL)).status, (await signIn('new@example.org')).status], [401, 200]);
  const { json: audit } = await ask('GET', '/api/v1/audit', { as });
  const entry = audit.items.find(({ action }: { action: string }) => action === 'member.email');
  assert.deepEqual([entry.before, entry.after], [{ email: EMAIL }, { email: 'new@example.org' }]);
});

test('every change has one audit entry: user, address, action, before and after, without secrets', async (t) => {
  const { ask, account, store, clock } = await startManagement(t);
  const as = await account(EMAIL);
  const [server] = (await ask('GET', '/oapi/v1/dns_servers', { as })).json;
  const log = async () => (await ask('GET', '/api/v1/audit?limit=1000', { as })).json.items;
  const written = async (
    action: string,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<Record<string, unknown>> => {
    const before = await log();
    clock.now++;
    const answer = await ask(method, path, { as, json });
    assert.ok(answer.status < 300, `${action} ${answer.text}`);
    const [entry, ...rest] = await log();
    assert.deepEqual(rest, before, action);
    assert.deepEqual([entry.action, entry.by, entry.from], [action, EMAIL, '127.0.0.1']);
    return { ...entry, reply: answer.json };
  };
  const device = { name: 'Phone', device_type: 'IOS', dns_server_id: server.id };
  const { reply, after } = (await written('device.create', 'POST', '/oapi/v1/devices', device)) as {
    reply: { id: string };
    after: Record<string, unknown>;
  };
  assert.equal(after['dohPassword'], '(secret)');
  const at = `/oapi/v1/devices/${reply.id}`;
  const renamed = await written('device.update', 'PUT', at, { name: 'Tablet' });
  assert.deepEqual([renamed['before'], renamed['after']], [{ name: 'Phone' }, { name: 'Tablet' }]);
  await written('device.settings', 'PUT', `${at}/settings`, { protection_enabled: false });
  await written('device.doh_password', 'PUT', `${at}/doh_password/reset`);
  await written('device.remove', 'DELETE', at);
  const settings = await written('dns_server.settings', 'PUT', `/oapi/v1/dns_servers/${server.id}/settings`, {
    user_rules_settings: { rules: ['||ads.example^'] },
  });
  assert.deepEqual(settings['after'], { settings: { userRules: { rules: ['||ads.example^'] } } });
  await written('query_log.clear', 'DELETE', '/oapi/v1/query_log');
  await written('account.update', 'PUT', '/api/v1/account', { log_retention_days: 7 });
  await written('api_key.create', 'POST', '/api/v1/api_keys', { name: 'script' });
  await written('invitation.create', 'POST', '/api/v1/invitations', { email: 'v@example.org', role: 'viewer' });

  const refused = await log();
  await ask('POST', '/oapi/v1/devices', { as, json: { ...device, dns_server_id: 'ffffffff' } });
  assert.deepEqual(await log(), refused);
  const { account: id } = (await store.read.users.byEmail(EMAIL))!;
  assert.equal((await store.read.audit.list(id, { limit: 1000 })).length, refused.length);
  const page = (await ask('GET', '/api/v1/audit?limit=3', { as })).json;
  const next = (await ask('GET', `/api/v1/audit?limit=3&cursor=${page.next_cursor}`, { as })).json;
  assert.deepEqual([...page.items, ...next.items], refused.slice(0, 6));
});
