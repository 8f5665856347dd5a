import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { repairingCheck } from './check.ts';
import { deviceOperations } from './devices.ts';
import { withOperationErrors } from './operation-errors.ts';

test('errors of the schema and those that only the operation finds are in one response, and nothing is stored', async (t) => {
  const { account, deps, store } = await openApi(t, deviceOperations);
  const home = await account('home');
  const { handler, body: schema } = deviceOperations.find(({ operationId }) => operationId === 'createDevice')!;
  assert.ok(handler.kind === 'mutation' && schema);
  const fields = async (body: unknown): Promise<string[]> => {
    const checked = repairingCheck(schema)(body);
    assert.ok(checked.ok);
    const input = { params: {}, query: {}, body: checked.value.value, from: '', address: '', caller: home } as never;
    const error = await withOperationErrors(handler, input, deps, checked.value);
    assert.ok(error.kind === 'invalid');
    return error.errors.map(({ field }) => field).sort();
  };
  assert.deepEqual(await fields({ name: 5, device_type: 'ANDROID', dns_server_id: 'ffffffff' }), [
    'dns_server_id',
    'name',
  ]);
  assert.deepEqual(await fields({ name: 5, device_type: 'ANDROID', dns_server_id: home.server }), ['name']);
  assert.deepEqual(await fields({ device_type: 'OTHER', dns_server_id: 'ffffffff', name: 'x' }), [
    'device_type',
    'dns_server_id',
  ]);
  assert.deepEqual(await store.read.devices.list(home.account), []);
});
