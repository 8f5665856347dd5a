import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deviceNumber, hex8, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { DeviceId } from '../domain/ids.ts';
import { followNames } from './follow-names.ts';

onBoth('a device claims the address that its name leads to, and only changes are written', async (store) => {
  const anna = newAccount('anna', 0xa0);
  const named = { ddnsName: 'home.example.org', linkedIp: '192.0.2.1' };
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(anna);
    await tx.devices.add(deviceNumber(1, anna.profile, named));
    await tx.devices.add(deviceNumber(2, anna.profile, { ddnsName: 'silent.example.org', linkedIp: '192.0.2.2' }));
    await tx.devices.add(deviceNumber(3, anna.profile, { ddnsName: 'taken.example.org', linkedIp: '192.0.2.3' }));
    await tx.devices.add(deviceNumber(4, anna.profile, { linkedIp: '192.0.2.4' }));
  });
  const names = new Map([
    ['home.example.org', '192.0.2.77'],
    ['taken.example.org', '192.0.2.4'],
  ]);
  let commits = 0;
  store.onCommit(() => void commits++);
  const follow = () =>
    followNames({
      store,
      addressBehind: async (name) => names.get(name),
      linkPrivateAddress: 'auto',
      now: () => 5000,
      random: (bytes) => randomBytes(bytes),
    });
  const addressOf = async (number: number) => {
    const device = await store.read.devices.find(anna.account.id, hex8(number) as DeviceId);
    return [device?.linkedIp, device?.pendingIp];
  };
  await follow();
  const found = await Promise.all([1, 2, 3, 4].map(addressOf));
  assert.deepEqual(found, [
    [undefined, '192.0.2.77'],
    ['192.0.2.2', undefined],
    [undefined, '192.0.2.4'],
    ['192.0.2.4', undefined],
  ]);
  assert.equal(commits, 2);
  const [last] = await store.read.audit.list(anna.account.id, { limit: 2 });
  assert.match(last!.by, /^the name (home|taken)\.example\.org$/);
  await follow();
  assert.equal(commits, 2);
});
