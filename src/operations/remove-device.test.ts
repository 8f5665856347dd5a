import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import { defaultPlans } from '../domain/account-limits.ts';
import type { ClientIdentifier } from '../domain/client-identifiers.ts';
import { removeDevice, restoreDevice } from './remove-device.ts';
import { RESTORABLE_MS } from './removed-items.ts';

const [anna, ben] = [newAccount('anna', 0xa0), newAccount('ben', 0xb0)];
const phone = deviceNumber(1, anna.profile, { name: 'Phone', linkedIp: '192.0.2.30' });
const tv = deviceNumber(2, anna.profile, { name: 'TV' });
const macs = [1, 2].map((nth): ClientIdentifier => ({ kind: 'mac', value: `02:00:00:00:00:0${nth}` }));
const { id: account } = anna.account;

onBoth('a removed device is restored once, within a minute, in its own account', async (store) => {
  let now = 1000;
  const deps = {
    now: () => now,
    sha256: (text: string) => createHash('sha256').update(text).digest(),
    plans: defaultPlans,
  };
  await store.inTransaction(async (tx) => {
    for (const each of [anna, ben]) await tx.accounts.create(each);
    for (const device of [phone, tv]) await tx.devices.add(device);
    await tx.deviceIdentifiers.replace(account, phone.id, macs);
  });
  const remove = () => store.inTransaction((tx) => removeDevice(tx, deps, phone));
  const restore = (of = account) => store.inTransaction((tx) => restoreDevice(tx, deps, of, phone.id));
  const missing = { ok: false, error: { kind: 'not found', what: 'device' } };
  const identifiers = () => store.read.deviceIdentifiers.ofDevice(account, phone.id);

  assert.equal((await remove()).action, 'device.remove');
  assert.equal(await store.read.devices.find(account, phone.id), undefined);
  assert.deepEqual(await restore(ben.account.id), missing);
  const restored = await restore();
  assert.ok(restored.ok);
  assert.equal(restored.value.audit.action, 'device.restore');
  assert.deepEqual(await store.read.devices.find(account, phone.id), phone);
  assert.deepEqual(await identifiers(), macs);
  assert.deepEqual(await restore(), missing);

  await remove();
  // Another device gets an identifier and the linked address meanwhile.
  await store.inTransaction(async (tx) => {
    await tx.deviceIdentifiers.replace(account, tv.id, [macs[0]!]);
    await tx.devices.update({ ...tv, linkedIp: '192.0.2.30' });
  });
  assert.equal((await restore()).ok, true);
  assert.deepEqual(await identifiers(), [macs[1]]);
  assert.equal((await store.read.devices.find(account, phone.id))?.linkedIp, undefined);

  await remove();
  now += RESTORABLE_MS;
  assert.deepEqual(await restore(), missing);
});

onBoth('a removed device is deleted with its account', async (store) => {
  const deps = { now: () => 1000, sha256: (text: string) => createHash('sha256').update(text).digest() };
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(anna);
    await tx.devices.add(phone);
    await removeDevice(tx, deps, phone);
    await tx.accounts.remove(account, { id: 'entry', at: 1000, by: 'operator' });
    await tx.accounts.create(anna);
  });
  const restored = await store.inTransaction((tx) =>
    restoreDevice(tx, { ...deps, plans: defaultPlans }, account, phone.id),
  );
  assert.equal(restored.ok, false);
});
