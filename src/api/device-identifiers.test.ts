import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { tagNames } from '../domain/device-tags.ts';
import type { Caller } from './authenticate.ts';
import { deviceIdentifierOperations } from './device-identifiers.ts';
import { deviceOperations } from './devices.ts';

async function openIdentifiers(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, [...deviceIdentifierOperations, ...deviceOperations]);
  const home = await api.account('home');
  const device = async (name: string) => {
    const body = { device_type: 'ANDROID', dns_server_id: home.server, name };
    return { device_id: (await api.done('createDevice', home, { body })).reply.id as string };
  };
  const params = await device('Phone');
  const update = (body: object, caller = home) => api.call('updateDeviceIdentifiers', caller, { params, body });
  const get = async () => (await api.done('getDeviceIdentifiers', home, { params })).reply;
  /** The state of the query, which is that of the update. */
  const stateFor = async (caller: Caller) => {
    const [shown, replaced] = deviceIdentifierOperations.map(async ({ handler }) => {
      assert.ok(handler.kind !== 'public' && handler.stateOf);
      return handler.stateOf(api.store.read, { caller, params } as never);
    });
    assert.deepEqual(await replaced, await shown);
    return shown;
  };
  return { ...api, home, device, params, update, get, stateFor };
}
const mac = { kind: 'mac', value: '00:11:22:33:44:55' };

test('a new device has the tags of its type and no identifiers', async (t) => {
  const { get } = await openIdentifiers(t);
  assert.deepEqual(await get(), {
    identifiers: [],
    tags: [],
    type_tags: ['device_phone', 'os_android'],
    available_tags: tagNames,
    assignable: 'any',
  });
});

test('identifiers and tags are replaced in canonical form, with an audit note', async (t) => {
  const { update, get, params } = await openIdentifiers(t);
  const body = { identifiers: [{ kind: 'mac', value: '00-11-22-33-44-55' }], tags: ['user_child'] };
  const updated = await update(body);
  assert.ok(updated.ok);
  const { reply, audit } = updated.value;
  assert.deepEqual([reply.identifiers, reply.tags, reply.assignable], [[mac], ['user_child'], 'any']);
  assert.deepEqual(reply, await get());
  assert.deepEqual([audit?.action, audit?.subject], ['device.identifiers', params.device_id]);
  await update({ identifiers: [], tags: [] });
  assert.deepEqual((await get()).identifiers, []);
});

test('unknown tags, and identifiers of another device, are errors of their entries', async (t) => {
  const { call, device, home, update } = await openIdentifiers(t);
  await call('updateDeviceIdentifiers', home, {
    params: await device('Tablet'),
    body: { identifiers: [mac], tags: [] },
  });
  const fieldsOf = async (body: object) => {
    const result = await update(body);
    return !result.ok && result.error.kind === 'invalid' && result.error.errors.map(({ field }) => field);
  };
  assert.deepEqual(await fieldsOf({ identifiers: [mac], tags: [] }), ['identifiers[0].value']);
  assert.deepEqual(await fieldsOf({ identifiers: [], tags: ['user_cat'] }), ['tags[0]']);
});

test('with several accounts only the operator adds identifiers', async (t) => {
  const { account, done, home, update, get } = await openIdentifiers(t);
  await account('other');
  const body = { identifiers: [mac], tags: [] };
  const admin = { ...home, role: 'admin' } as const;
  const refused = await update(body, admin);
  assert.equal(!refused.ok && refused.error.kind, 'forbidden');
  assert.ok((await update(body)).ok);
  const kept = await update({ identifiers: [mac], tags: ['user_child'] }, admin);
  assert.ok(kept.ok && kept.value.reply.assignable === 'none');
  assert.deepEqual((await get()).tags, ['user_child']);
  assert.equal((await done('listDevices', home)).reply.length, 1);
});

test('a device of another account is not found', async (t) => {
  const { account, call, params } = await openIdentifiers(t);
  const other = await account('other');
  for (const operation of ['getDeviceIdentifiers', 'updateDeviceIdentifiers'])
    assert.deepEqual(await call(operation, other, { params, body: { identifiers: [], tags: [] } }), {
      ok: false,
      error: { kind: 'not found', what: 'device' },
    });
});

test('the state for the ETag changes with identifiers and tags; a device that is not found has none', async (t) => {
  const { account, home, update, stateFor } = await openIdentifiers(t);
  assert.deepEqual(await stateFor(home), [[], []]);
  await update({ identifiers: [mac], tags: ['user_child'] });
  assert.deepEqual(await stateFor(home), [[['mac', '00:11:22:33:44:55']], ['user_child']]);
  assert.equal(await stateFor(await account('other')), undefined);
});
