import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { deviceOperations } from './devices.ts';

const phone = (server: string) => ({ body: { device_type: 'ANDROID', dns_server_id: server, name: 'Phone' } });
const notFound = { ok: false, error: { kind: 'not found', what: 'device' } };

test('a new device is returned with its DNS addresses, and audited without its secrets', async (t) => {
  const { account, done, store } = await openApi(t, deviceOperations);
  const home = await account('home');
  const { reply, audit } = await done('createDevice', home, phone(home.server));
  assert.equal(reply.name, 'Phone');
  assert.match(JSON.stringify(reply.dns_addresses), new RegExp(`/${reply.id}`));
  assert.deepEqual([audit?.action, audit?.subject], ['device.create', reply.id]);
  const [stored] = await store.read.devices.list(home.account);
  assert.equal(stored!.id, reply.id);
  for (const secret of [stored!.dohPassword, stored!.linkToken]) assert.ok(!JSON.stringify(audit).includes(secret));
});

test('the limit of the plan is enforced, also after other devices were removed', async (t) => {
  const { account, call, done } = await openApi(t, deviceOperations);
  const home = await account('home');
  const ids = [];
  for (let made = 0; made < 5; made++) ids.push((await done('createDevice', home, phone(home.server))).reply.id);
  const atLimit = { ok: false, error: { kind: 'limit reached', what: 'devices', limit: 5 } };
  assert.deepEqual(await call('createDevice', home, phone(home.server)), atLimit);
  const other = await account('other');
  await done('createDevice', other, phone(other.server));
  await done('removeDevice', home, { params: { device_id: ids[0] } });
  await done('createDevice', home, phone(home.server));
  assert.deepEqual(await call('createDevice', home, phone(home.server)), atLimit);
});

test('a device of another account is not found by any operation, and stays unchanged', async (t) => {
  const { account, call, done, store } = await openApi(t, deviceOperations);
  const [home, other] = [await account('home'), await account('other')];
  const { reply } = await done('createDevice', home, phone(home.server));
  const before = await store.read.devices.list(home.account);
  const params = { device_id: reply.id };
  for (const [operation, body] of [
    ['getDevice', undefined],
    ['updateDevice', { name: 'Mine now' }],
    ['getDeviceSettings', undefined],
    ['updateDeviceSettings', { protection_enabled: false }],
    ['resetDOHPassword', undefined],
    ['removeDevice', undefined],
  ] as const)
    assert.deepEqual(await call(operation, other, { params, body }), notFound, operation);
  assert.deepEqual(await store.read.devices.list(home.account), before);
  assert.deepEqual((await done('listDevices', other)).reply, []);
});

test('a device can neither be created on nor moved to a DNS server of another account', async (t) => {
  const { account, call, done, store } = await openApi(t, deviceOperations);
  const [home, other] = [await account('home'), await account('other')];
  const { reply } = await done('createDevice', home, phone(home.server));
  const fields = (result: Awaited<ReturnType<typeof call>>) =>
    !result.ok && result.error.kind === 'invalid' ? result.error.errors.map(({ field }) => field) : result;
  assert.deepEqual(fields(await call('createDevice', home, phone(other.server))), ['dns_server_id']);
  const move = { params: { device_id: reply.id }, body: { dns_server_id: other.server } };
  assert.deepEqual(fields(await call('updateDevice', home, move)), ['dns_server_id']);
  assert.equal((await store.read.devices.list(home.account))[0]!.profile, home.server);
});

test('the DoH password is shown to owners and not to viewers, and a reset replaces it', async (t) => {
  const { account, done, store } = await openApi(t, deviceOperations);
  const home = await account('home');
  const params = { device_id: (await done('createDevice', home, phone(home.server))).reply.id };
  const password = async () => (await store.read.devices.list(home.account))[0]!.dohPassword;
  const shownTo = async (role: 'owner' | 'viewer') =>
    JSON.stringify((await done('getDevice', { ...home, role }, { params })).reply);
  const first = await password();
  assert.ok((await shownTo('owner')).includes(first));
  assert.ok(!(await shownTo('viewer')).includes(first));
  await done('resetDOHPassword', home, { params });
  assert.notEqual(await password(), first);
  assert.ok(!(await shownTo('owner')).includes(first));
});

test('an unknown type, a missing server and an empty name are rejected by field', async (t) => {
  const { account, call } = await openApi(t, deviceOperations);
  const home = await account('home');
  for (const [body, field] of [
    [{ device_type: 'TOASTER', dns_server_id: home.server, name: 'Phone' }, 'device_type'],
    [{ device_type: 'ANDROID', name: 'Phone' }, 'dns_server_id'],
    [{ device_type: 'ANDROID', dns_server_id: home.server, name: ' ' }, 'name'],
  ] as const) {
    const result = await call('createDevice', home, { body });
    assert.ok(!result.ok && result.error.kind === 'invalid', field);
    assert.deepEqual([...new Set(result.error.errors.map((error) => error.field))], [field]);
  }
});
