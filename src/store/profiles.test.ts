import assert from 'node:assert/strict';
import {
  accountId,
  deviceNumber,
  forwardRuleOf,
  localRecordOf,
  profileNumber,
} from '../../test/support/store/accounts.ts';
import { addAnna, onBoth } from '../../test/support/store/stores.ts';
import type { ProfileId } from '../domain/ids.ts';

const anna = accountId('anna');

onBoth('settings come back as they were, also what was left open', async (store) => {
  const { profile } = await addAnna(store);
  const { settings } = profile;
  const changed = profileNumber(0xa1, 'anna', {
    settings: {
      ...settings,
      blocking: { mode: 'CUSTOM_IP', ipv4: '192.0.2.1', ipv6: undefined },
      userRules: { enabled: true, rules: ['||ads.example^', '# 100 % _\\ "\'\u0000 ünï 🙂'] },
      safeBrowsing: { ...settings.safeBrowsing, blocking: { mode: 'NXDOMAIN', ipv4: undefined, ipv6: undefined } },
    },
  });
  await store.inTransaction((tx) => tx.profiles.add(changed));
  assert.deepEqual(await store.read.profiles.find(anna, changed.id), changed);
  const renamed = { ...changed, name: 'Büro' };
  assert.equal(await store.inTransaction((tx) => tx.profiles.update(renamed)), true);
  assert.deepEqual(await store.read.profiles.list(anna), [profile, renamed]);
});

onBoth('strategies of upstreams are stored with the rule and with the server', async (store) => {
  const { profile } = await addAnna(store);
  const ordered = forwardRuleOf('anna');
  const own = { ...profile.settings.own, upstreams: ['9.9.9.9', '1.1.1.1'], upstreamStrategy: 'parallel' as const };
  const server = { ...profile, settings: { ...profile.settings, own } };
  await store.inTransaction(async (tx) => {
    await tx.forwardRules.add(ordered);
    await tx.profiles.update(server);
  });
  assert.equal(ordered.strategy, 'ordered');
  assert.deepEqual(await store.read.forwardRules.list(anna), [ordered]);
  assert.deepEqual(await store.read.profiles.find(anna, profile.id), server);
  const unset = { ...ordered, strategy: undefined };
  assert.equal(await store.inTransaction((tx) => tx.forwardRules.update(unset)), true);
  assert.deepEqual(await store.read.forwardRules.list(anna), [unset]);
});

onBoth(
  'with a server its devices go to the default one, which itself stays; its records and rules go',
  async (store) => {
    const { profile } = await addAnna(store);
    const office = profileNumber(0xa1, 'anna');
    await store.inTransaction(async (tx) => {
      await tx.profiles.add(office);
      await tx.devices.add(deviceNumber(1, office));
      await tx.devices.add(deviceNumber(2, profile));
      await tx.localRecords.add(anna, [localRecordOf('anna', office.id), { ...localRecordOf('anna'), id: 'shared' }]);
      await tx.localRecords.add(anna, [{ ...localRecordOf('anna', profile.id), id: 'default' }]);
      await tx.forwardRules.add(forwardRuleOf('anna', office.id));
    });
    assert.equal(await store.inTransaction((tx) => tx.profiles.remove(anna, office.id)), true);
    assert.equal(await store.read.profiles.find(anna, office.id), undefined);
    assert.deepEqual(
      (await store.read.devices.list(anna)).map((device) => device.profile),
      [profile.id, profile.id],
    );
    assert.equal(await store.inTransaction((tx) => tx.profiles.remove(anna, profile.id)), false);
    assert.deepEqual((await store.read.localRecords.list(anna)).map(({ id }) => id).sort(), ['default', 'shared']);
    assert.deepEqual(await store.read.forwardRules.list(anna), []);
    assert.equal(await store.inTransaction((tx) => tx.profiles.remove(anna, 'ffffffff' as ProfileId)), false);
  },
);
