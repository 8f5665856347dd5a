import assert from 'node:assert/strict';
import { accountId, auditEntryOf, deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { ClientIdentifier } from '../domain/client-identifiers.ts';
import type { Store } from './store.ts';

const anna = accountId('anna');
const { profile } = newAccount('anna', 0xa0);
const [phone, tv] = [deviceNumber(1, profile, { tags: ['user_child'] }), deviceNumber(2, profile)];
const mac: ClientIdentifier = { kind: 'mac', value: '02:00:00:00:00:01' };
const network: ClientIdentifier = { kind: 'network', value: '10.0.0.0/8' };

async function withDevices(store: Store): Promise<void> {
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.devices.add(phone);
    await tx.devices.add(tv);
    await tx.deviceIdentifiers.replace(anna, phone.id, [mac, network]);
  });
}

onBoth('identifiers and tags come back as they were given, and identifiers are replaced as a whole', async (store) => {
  await withDevices(store);
  assert.deepEqual((await store.read.devices.find(anna, phone.id))?.tags, ['user_child']);
  assert.deepEqual(await store.read.deviceIdentifiers.ofDevice(anna, phone.id), [mac, network]);
  assert.deepEqual(await store.read.deviceIdentifiers.holders([mac.value, 'other']), [
    { ...mac, account: anna, device: phone.id },
  ]);
  const snapshot = await store.snapshot(anna);
  assert.deepEqual(
    snapshot?.identifiers.map(({ value, device }) => [value, device]),
    [
      [mac.value, phone.id],
      [network.value, phone.id],
    ],
  );
  for await (const [one] of store.allAccounts()) assert.deepEqual(one?.identifiers, snapshot?.identifiers);
  await store.inTransaction((tx) => tx.deviceIdentifiers.replace(anna, phone.id, [network]));
  assert.deepEqual(await store.read.deviceIdentifiers.ofDevice(anna, phone.id), [network]);
});

onBoth('an identifier belongs to one device of all accounts', async (store) => {
  await withDevices(store);
  const conflict = { ok: false, error: { kind: 'conflict', what: 'address' } };
  assert.deepEqual(await store.inTransaction((tx) => tx.deviceIdentifiers.replace(anna, tv.id, [mac])), conflict);
  const ben = newAccount('ben', 0xb0);
  const bens = deviceNumber(3, ben.profile);
  const outcome = await store.inTransaction(async (tx) => {
    await tx.accounts.create(ben);
    await tx.devices.add(bens);
    return tx.deviceIdentifiers.replace(ben.account.id, bens.id, [network]);
  });
  assert.deepEqual(outcome, conflict);
  assert.deepEqual(await store.read.deviceIdentifiers.ofDevice(anna, phone.id), [mac, network]);
});

onBoth('identifiers are deleted with their device and with their account', async (store) => {
  await withDevices(store);
  await store.inTransaction((tx) => tx.devices.remove(anna, phone.id));
  assert.deepEqual(await store.read.deviceIdentifiers.holders([mac.value]), []);
  await store.inTransaction((tx) => tx.deviceIdentifiers.replace(anna, tv.id, [mac]));
  await store.inTransaction((tx) => tx.accounts.remove(anna, auditEntryOf('anna', { id: 'gone' })));
  assert.deepEqual(await store.read.deviceIdentifiers.holders([mac.value]), []);
});
