import assert from 'node:assert/strict';
import { accountId, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import { defaultPlans } from '../domain/account-limits.ts';
import { directoryOfStore } from './directory-of-store.ts';

onBoth('a snapshot is continued with the changes since its position, and not in another form', async (store) => {
  const directory = directoryOfStore({ store, plans: defaultPlans, settings: { linkPrivateAddress: 'auto' } });
  const snapshot = (position: string | undefined) =>
    ({ takenAt: 1, position, files: undefined, async *accounts() {}, async *blocks() {} }) as const;
  assert.equal(directory.continued(snapshot(directory.appliedPosition())), undefined, 'no change yet');
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  const position = directory.appliedPosition();
  assert.match(String(position), /^1\.\d+\.[0-9a-f]{16}$/);

  const isApplying = Promise.withResolvers<void>();
  const mayApply = Promise.withResolvers<void>();
  store.onCommit(() => {
    isApplying.resolve();
    return mayApply.promise;
  });
  const change = store.inTransaction((tx) => tx.accounts.create(newAccount('ben', 0xb0)));
  await isApplying.promise;
  assert.equal(directory.appliedPosition(), undefined);
  mayApply.resolve();
  await change;
  assert.match(String(directory.appliedPosition()), /^2\./);
  const { changes } = directory.continued(snapshot(position))!;
  assert.ok(typeof changes === 'function');
  assert.deepEqual(await changes(), new Set([accountId('ben')]));

  const plans = { default: { ...defaultPlans.default, devices: 1 } };
  const other = directoryOfStore({ store, plans, settings: { linkPrivateAddress: 'auto' } });
  assert.equal(other.continued(snapshot(position)), undefined);
  assert.equal(directory.continued(snapshot(undefined)), undefined);
});

onBoth('a request of an edge is applied once, also if the device was deleted meanwhile', async (store) => {
  const directory = directoryOfStore({ store, plans: defaultPlans, settings: { linkPrivateAddress: 'auto' } });
  const { profile, account } = newAccount('anna', 0xa0);
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    const settings = { ...profile.settings, autoConnectDevices: true };
    await tx.profiles.update({ ...profile, settings });
  });
  const humanId = { type: 'ANDROID', profile: profile.id, humanId: 'my-phone', name: 'My Phone' } as const;
  const request = { kind: 'make device', account: account.id, humanId } as const;
  const names = async () => (await store.read.devices.list(account.id)).map(({ name }) => name);
  assert.equal(await directory.changeOnce(request, 'edge request 1'), true);
  assert.ok((await names()).includes('My Phone'));
  const [made] = (await store.read.devices.list(account.id)).filter(({ name }) => name === 'My Phone');
  await store.inTransaction((tx) => tx.devices.remove(account.id, made!.id));
  assert.equal(await directory.changeOnce(request, 'edge request 1'), false);
  assert.ok(!(await names()).includes('My Phone'));
  assert.equal(await directory.changeOnce(request, 'edge request 2'), true);
  assert.ok((await names()).includes('My Phone'));
});
