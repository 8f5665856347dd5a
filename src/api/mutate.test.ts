import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, openApi } from '../../test/support/api.ts';
import type { Caller } from './authenticate.ts';
import { deviceOperations } from './devices.ts';
import { mutate } from './mutate.ts';
import type { Mutation } from './operation.ts';

const mutationOf = (operationId: string): Mutation => {
  const { handler } = deviceOperations.find((operation) => operation.operationId === operationId)!;
  assert.ok(handler.kind === 'mutation');
  return handler;
};
type Conditions = Partial<Parameters<typeof mutate>[3]>;

function run(api: Api, caller: Caller, operationId: string, given: object, conditions: Conditions = {}) {
  const input = { params: {}, query: {}, from: '192.0.2.1', address: '192.0.2.1', caller, ...given } as never;
  return mutate(mutationOf(operationId), input, api.deps, { ifMatch: undefined, idempotent: undefined, ...conditions });
}
const phone = (server: string, name = 'Phone') => ({ body: { device_type: 'ANDROID', dns_server_id: server, name } });
const audited = async ({ store }: Api, { account }: Caller): Promise<string[]> =>
  (await store.read.audit.list(account, { before: undefined, limit: 10 })).map(({ action }) => action);

test('a change is audited with its author; a failed or empty one is not', async (t) => {
  const api = await openApi(t, deviceOperations);
  const home = await api.account('home');
  const created = await run(api, home, 'createDevice', phone(home.server));
  assert.ok(created.ok);
  const params = { device_id: (created.value.reply as { id: string }).id };
  assert.equal((await run(api, home, 'updateDevice', { params, body: { name: 'x'.repeat(500) } })).ok, false);
  assert.ok((await run(api, home, 'updateDevice', { params, body: { name: 'Phone' } })).ok);
  assert.deepEqual(await audited(api, home), ['device.create']);
});

test('of equal requests with one key the first is executed, and the others get its reply', async (t) => {
  const api = await openApi(t, deviceOperations);
  const home = await api.account('home');
  const idempotent = { id: 'key', account: home.account, request: 'content' };
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => run(api, home, 'createDevice', phone(home.server), { idempotent })),
  );
  assert.ok(outcomes.every(({ ok }) => ok));
  assert.equal((await api.store.read.devices.list(home.account)).length, 1);
  const replayed = outcomes.filter((outcome) => outcome.ok && outcome.value.headers['idempotent-replayed'] === 'true');
  assert.equal(replayed.length, 2);
  const other = await run(api, home, 'createDevice', phone(home.server, 'TV'), {
    idempotent: { ...idempotent, request: 'other' },
  });
  assert.deepEqual(other, { ok: false, error: { kind: 'key of another request' } });
});

test('a condition that the state does not meet prevents the change, and every change has a new tag', async (t) => {
  const api = await openApi(t, deviceOperations);
  const home = await api.account('home');
  const created = await run(api, home, 'createDevice', phone(home.server));
  assert.ok(created.ok);
  const params = { device_id: (created.value.reply as { id: string }).id };
  const rename = (name: string, ifMatch?: string) =>
    run(api, home, 'updateDevice', { params, body: { name } }, { ifMatch });
  const first = await rename('A');
  assert.ok(first.ok);
  const { etag } = first.value.headers;
  assert.match(etag!, /^"/);
  const second = await rename('B', etag);
  assert.ok(second.ok && second.value.headers['etag'] !== etag);
  const refused = await rename('C', etag);
  assert.deepEqual(!refused.ok && refused.error.kind, 'precondition failed');
  assert.equal((await api.store.read.devices.list(home.account))[0]!.name, 'B');
  const missing = await run(
    api,
    home,
    'updateDevice',
    { params: { device_id: 'abcdef12' }, body: {} },
    { ifMatch: etag },
  );
  assert.deepEqual(!missing.ok && missing.error.kind, 'not found');
});
