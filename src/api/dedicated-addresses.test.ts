import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { dedicatedAddressOperations } from './dedicated-addresses.ts';
import { deviceOperations } from './devices.ts';

async function openAddresses(t: { after(end: () => unknown): void }) {
  const api = await openApi(t, [...dedicatedAddressOperations, ...deviceOperations]);
  const withDevice = async (word: string) => {
    const caller = await api.account(word);
    const body = { device_type: 'ANDROID', dns_server_id: caller.server, name: 'Phone' };
    const { reply } = await api.done('createDevice', caller, { body });
    return { ...caller, device: reply.id as string };
  };
  const [home, other] = [await withDevice('home'), await withDevice('other')];
  const allocate = async (caller: typeof home): Promise<string> =>
    (await api.done('allocateDedicatedIPv4Address', caller)).reply.ip;
  return { ...api, home, other, allocate };
}

test('addresses are unique, and limited by the plan and by the pool', async (t) => {
  const { home, other, allocate, call } = await openAddresses(t);
  const taken = [await allocate(home), await allocate(home), await allocate(other)];
  assert.equal(new Set(taken).size, 3);
  const limited = async (caller: typeof home) => {
    const result = await call('allocateDedicatedIPv4Address', caller);
    return !result.ok && result.error.kind === 'limit reached' && result.error.limit;
  };
  // The plan has two; the pool has three, of which the other account has one.
  assert.deepEqual([await limited(home), await limited(other)], [2, 1]);
});

test('an address is linked to a device, shown with it, and must be unlinked before it is released', async (t) => {
  const { home, allocate, call, done } = await openAddresses(t);
  const ip = await allocate(home);
  const params = { device_id: home.device };
  await done('linkDedicatedIPv4Address', home, { params, body: { ip: ` ${ip} ` } });
  const linked = async () => (await done('listDedicatedAddressesForDevice', home, { params })).reply.ipv4;
  assert.deepEqual(await linked(), [ip]);
  assert.equal((await call('releaseDedicatedIPv4Address', home, { params: { ip } })).ok, false);
  await done('unlinkDedicatedIPv4Address', home, { params, query: { ip } });
  assert.deepEqual(await linked(), []);
  await done('releaseDedicatedIPv4Address', home, { params: { ip } });
  assert.deepEqual((await done('listDedicatedIPv4Addresses', home)).reply, []);
});

test('addresses and devices of another account are not found', async (t) => {
  const { home, other, allocate, call, done } = await openAddresses(t);
  const ip = await allocate(home);
  await done('linkDedicatedIPv4Address', home, { params: { device_id: home.device }, body: { ip } });
  for (const [operation, input] of [
    ['releaseDedicatedIPv4Address', { params: { ip } }],
    ['linkDedicatedIPv4Address', { params: { device_id: other.device }, body: { ip } }],
    ['linkDedicatedIPv4Address', { params: { device_id: home.device }, body: { ip } }],
    ['unlinkDedicatedIPv4Address', { params: { device_id: other.device }, query: { ip } }],
    ['unlinkDedicatedIPv4Address', { params: { device_id: home.device }, query: { ip } }],
    ['listDedicatedAddressesForDevice', { params: { device_id: home.device } }],
  ] as const)
    assert.equal((await call(operation, other, input)).ok, false, operation);
  const { reply } = await done('listDedicatedIPv4Addresses', home);
  assert.equal(reply[0].device_id, home.device);
});
