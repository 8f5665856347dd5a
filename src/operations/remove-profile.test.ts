import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { deviceNumber, newAccount, profileNumber } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import { defaultPlans, limitsOf } from '../domain/account-limits.ts';
import { defaultSettings } from '../domain/default-settings.ts';
import type { ForwardRule } from '../domain/forward-rules.ts';
import type { LocalRecord } from '../domain/local-records.ts';
import { removeCustomList, restoreCustomList } from './remove-custom-list.ts';
import { deleteProfile, restoreProfile } from './remove-profile.ts';
import { RESTORABLE_MS } from './removed-items.ts';

const [anna, ben] = [newAccount('anna', 0xa0), newAccount('ben', 0xb0)];
const { id: account } = anna.account;
const kids = profileNumber(0xa1, 'anna', { name: 'Kids' });
const [tablet, phone] = [deviceNumber(1, kids), deviceNumber(2, kids)];
const record: LocalRecord = {
  id: 'record',
  account,
  profile: kids.id,
  name: 'nas.example',
  type: 'A',
  value: '192.0.2.1',
  ttlSeconds: undefined,
};
const rule: ForwardRule = {
  id: 'rule',
  account,
  profile: kids.id,
  domain: 'lan.example',
  upstreams: ['9.9.9.9'],
  strategy: undefined,
};
const list = {
  id: 'list',
  account,
  name: 'Ours',
  source: { kind: 'rules', rules: '||a.example^' },
  createdAt: 1000,
} as const;

const clockAt = (clock: { now: number }) => ({
  now: () => clock.now,
  sha256: (text: string) => createHash('sha256').update(text).digest(),
  plans: defaultPlans,
  maxCustomLists: 1,
});

onBoth('a removed profile is restored once, within a minute, in its own account', async (store) => {
  const clock = { now: 1000 };
  const deps = clockAt(clock);
  await store.inTransaction(async (tx) => {
    for (const each of [anna, ben]) await tx.accounts.create(each);
    await tx.profiles.add(kids);
    for (const device of [tablet, phone]) await tx.devices.add(device);
    await tx.clientNetworks.replace(account, [{ network: '10.0.0.0/24', profile: kids.id }]);
    await tx.localRecords.add(account, [record]);
    await tx.forwardRules.add(rule);
  });
  const remove = () => store.inTransaction((tx) => deleteProfile(tx, deps, kids));
  const restore = (of = account) => store.inTransaction((tx) => restoreProfile(tx, deps, of, kids.id));
  const missing = { ok: false, error: { kind: 'not found', what: 'DNS server' } };
  const profileOf = async (id: typeof phone.id) => (await store.read.devices.find(account, id))?.profile;

  assert.equal((await remove()).action, 'dns_server.remove');
  assert.equal(await profileOf(tablet.id), anna.profile.id);
  assert.deepEqual(await store.read.localRecords.list(account), []);
  assert.deepEqual(await restore(ben.account.id), missing);
  // It moved to another profile meanwhile.
  const other = profileNumber(0xa2, 'anna');
  await store.inTransaction(async (tx) => {
    await tx.profiles.add(other);
    await tx.devices.update({ ...phone, profile: other.id });
  });
  const restored = await restore();
  assert.ok(restored.ok);
  assert.equal(restored.value.audit.action, 'dns_server.restore');
  assert.deepEqual(await store.read.profiles.find(account, kids.id), kids);
  assert.deepEqual([await profileOf(tablet.id), await profileOf(phone.id)], [kids.id, other.id]);
  assert.deepEqual(await store.read.localRecords.list(account), [record]);
  assert.deepEqual(await store.read.forwardRules.list(account), [rule]);
  assert.deepEqual(
    (await store.read.clientNetworks.list(account)).map(({ profile }) => profile),
    [kids.id],
  );
  assert.deepEqual(await restore(), missing);

  await remove();
  clock.now += RESTORABLE_MS;
  assert.deepEqual(await restore(), missing);
});

onBoth('a profile is not restored above the limits of the account', async (store) => {
  const deps = clockAt({ now: 1000 });
  const { dnsServers: limit } = limitsOf(anna.account, defaultPlans);
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(anna);
    await tx.profiles.add(kids);
    await deleteProfile(tx, deps, kids);
    for (let number = 1; number < limit; number++) await tx.profiles.add(profileNumber(0xc0 + number, 'anna'));
  });
  const restored = await store.inTransaction((tx) => restoreProfile(tx, deps, account, kids.id));
  assert.deepEqual(restored, { ok: false, error: { kind: 'limit reached', what: 'dnsServers', limit } });
});

onBoth('a removed custom list is restored once, also in its profiles, below the limit', async (store) => {
  const deps = clockAt({ now: 1000 });
  const settings = defaultSettings();
  const using = {
    ...kids,
    settings: { ...settings, own: { ...settings.own, customLists: [{ id: 'list', enabled: false }] } },
  };
  await store.inTransaction(async (tx) => {
    for (const each of [anna, ben]) await tx.accounts.create(each);
    await tx.profiles.add(using);
    await tx.customLists.add(list);
  });
  const remove = () => store.inTransaction((tx) => removeCustomList(tx, deps, list));
  const restore = (of = account) => store.inTransaction((tx) => restoreCustomList(tx, deps, of, 'list'));
  const uses = async () => (await store.read.profiles.find(account, kids.id))?.settings.own.customLists;

  await remove();
  assert.deepEqual(await uses(), []);
  assert.equal((await restore(ben.account.id)).ok, false);
  assert.equal((await restore()).ok, true);
  assert.deepEqual(await store.read.customLists.list(account), [list]);
  assert.deepEqual(await uses(), [{ id: 'list', enabled: false }]);
  assert.equal((await restore()).ok, false);

  await remove();
  await store.inTransaction((tx) => tx.customLists.add({ ...list, id: 'another' }));
  const limited = { ok: false, error: { kind: 'limit reached', what: 'customLists', limit: 1 } };
  assert.deepEqual(await restore(), limited);
});

onBoth('removed profiles and lists are deleted with their account', async (store) => {
  const deps = clockAt({ now: 1000 });
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(anna);
    await tx.profiles.add(kids);
    await tx.customLists.add(list);
    await deleteProfile(tx, deps, kids);
    await removeCustomList(tx, deps, list);
    await tx.accounts.remove(account, { id: 'entry', at: 1000, by: 'operator' });
    await tx.accounts.create(anna);
  });
  const profile = await store.inTransaction((tx) => restoreProfile(tx, deps, account, kids.id));
  const restoredList = await store.inTransaction((tx) => restoreCustomList(tx, deps, account, 'list'));
  assert.deepEqual([profile.ok, restoredList.ok], [false, false]);
});
