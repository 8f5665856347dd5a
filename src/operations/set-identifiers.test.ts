import assert from 'node:assert/strict';
import { deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { ClientIdentifier } from '../domain/client-identifiers.ts';
import { setIdentifiers } from './set-identifiers.ts';

const [anna, ben] = [newAccount('anna', 0xa0), newAccount('ben', 0xb0)];
const phone = deviceNumber(1, anna.profile, { name: 'Phone' });
const tv = deviceNumber(2, anna.profile, { name: 'TV', linkedIp: '192.168.1.30' });
const bens = deviceNumber(3, ben.profile, { name: 'Secret name' });
const mac: ClientIdentifier = { kind: 'mac', value: '02:00:00:00:00:01' };

onBoth('an identifier of another device is refused, and only a device of the same account is named', async (store) => {
  await store.inTransaction(async (tx) => {
    for (const account of [anna, ben]) await tx.accounts.create(account);
    for (const device of [phone, tv, bens]) await tx.devices.add(device);
  });
  const set = (device: typeof phone, identifiers: readonly ClientIdentifier[]) =>
    store.inTransaction((tx) => setIdentifiers(tx, device, { identifiers, tags: ['user_child'] }, 'private'));
  const errorsOf = async (device: typeof phone, identifiers: readonly ClientIdentifier[]) => {
    const outcome = await set(device, identifiers);
    assert.ok(!outcome.ok && outcome.error.kind === 'invalid');
    return outcome.error.errors.map(({ field, message }) => [field, message]);
  };
  const first = await set(phone, [mac]);
  assert.ok(first.ok);
  assert.deepEqual(first.value.audit, {
    action: 'device.identifiers',
    subject: phone.id,
    before: { identifiers: [], tags: [] },
    after: { identifiers: [mac], tags: ['user_child'] },
  });
  assert.deepEqual((await store.read.devices.find(anna.account.id, phone.id))?.tags, ['user_child']);
  const linked: ClientIdentifier = { kind: 'address', value: '192.168.1.30' };
  assert.deepEqual(await errorsOf(tv, [linked, mac]), [['identifiers[1].value', 'belongs to the device "Phone"']]);
  assert.deepEqual(await errorsOf(phone, [linked]), [['identifiers[0].value', 'belongs to the device "TV"']]);
  assert.deepEqual(await errorsOf(bens, [linked, mac]), [
    ['identifiers[0].value', 'is in use'],
    ['identifiers[1].value', 'is in use'],
  ]);
  assert.equal((await set(phone, [mac])).ok, true, 'its own identifiers do not conflict');
});
