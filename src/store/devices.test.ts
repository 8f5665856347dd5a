import assert from 'node:assert/strict';
import { accountId, deviceNumber, hex8, newAccount, profileNumber } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { DeviceId, ProfileId } from '../domain/ids.ts';
import type { Store } from './store.ts';

const anna = accountId('anna');
const { profile } = newAccount('anna', 0xa0);
const office = profileNumber(0xa1, 'anna');

async function withAnna(store: Store): Promise<void> {
  await store.inTransaction(async (tx) => {
    await tx.accounts.create(newAccount('anna', 0xa0));
    await tx.profiles.add(office);
  });
}

async function withDevices(store: Store, names: readonly string[]): Promise<void> {
  await withAnna(store);
  await store.inTransaction(async (tx) => {
    for (const [number, name] of names.entries()) await tx.devices.add(deviceNumber(number, profile, { name }));
  });
}

onBoth('a device comes back as it was given, and is changed as a whole', async (store) => {
  await withAnna(store);
  const phone = deviceNumber(1, profile, { humanId: 'Anna-Phone', linkedIp: '192.0.2.7', dohAuthOnly: true });
  assert.deepEqual(await store.inTransaction((tx) => tx.devices.add(phone)), { ok: true, value: undefined });
  assert.deepEqual(await store.read.devices.find(anna, phone.id), phone);
  const changed = { ...phone, name: 'Old phone', profile: office.id, linkedIp: undefined, protectionEnabled: false };
  assert.deepEqual(await store.inTransaction((tx) => tx.devices.update(changed)), { ok: true, value: true });
  assert.deepEqual(await store.read.devices.find(anna, phone.id), changed);
  assert.equal(await store.inTransaction((tx) => tx.devices.remove(anna, phone.id)), true);
  assert.equal(await store.inTransaction((tx) => tx.devices.remove(anna, phone.id)), false);
  assert.deepEqual(await store.inTransaction((tx) => tx.devices.update(changed)), { ok: true, value: false });
});

onBoth('a device that named itself is found by that name in any case, on its server only', async (store) => {
  await withAnna(store);
  const phone = deviceNumber(1, profile, { humanId: 'Anna-Phone' });
  await store.inTransaction((tx) => tx.devices.add(phone));
  assert.deepEqual(await store.read.devices.findByHumanId(anna, profile.id, 'ANNA-phone'), phone);
  assert.equal(await store.read.devices.findByHumanId(anna, office.id, 'Anna-Phone'), undefined);
});

onBoth('a device is found by the token of its link', async (store) => {
  await withAnna(store);
  await store.inTransaction((tx) => tx.devices.add(deviceNumber(1, profile)));
  assert.equal((await store.read.devices.findUnscoped(hex8(1) as DeviceId))?.linkToken, 'link 1');
  assert.equal(await store.read.devices.findUnscoped(hex8(2) as DeviceId), undefined);
});

onBoth('an id that was ever given to a device or server is not given again', async (store) => {
  await withAnna(store);
  const taken = { ok: false, error: { kind: 'conflict', what: 'id' } };
  await store.inTransaction(async (tx) => {
    await tx.devices.add(deviceNumber(1, profile));
    await tx.devices.remove(anna, '00000001' as DeviceId);
  });
  assert.deepEqual(await store.inTransaction((tx) => tx.devices.add(deviceNumber(1, profile))), taken);
  assert.deepEqual(await store.inTransaction((tx) => tx.profiles.add(profileNumber(1, 'anna'))), taken);
});

onBoth('an address is linked to one device in all accounts', async (store) => {
  await withAnna(store);
  const ben = newAccount('ben', 0xb0);
  await store.inTransaction((tx) => tx.accounts.create(ben));
  const linkedIp = '192.0.2.7';
  const taken = { ok: false, error: { kind: 'conflict', what: 'address' } };
  const phone = deviceNumber(1, profile, { linkedIp });
  await store.inTransaction((tx) => tx.devices.add(phone));
  const add = store.inTransaction((tx) => tx.devices.add(deviceNumber(2, ben.profile, { linkedIp })));
  assert.deepEqual(await add, taken);
  await store.inTransaction((tx) => tx.devices.add(deviceNumber(2, ben.profile)));
  const update = store.inTransaction((tx) => tx.devices.update(deviceNumber(2, ben.profile, { linkedIp })));
  assert.deepEqual(await update, taken);
  assert.deepEqual(await store.inTransaction((tx) => tx.devices.update(phone)), { ok: true, value: true });
});

onBoth('devices are listed oldest first, all of them or those of a server, and counted', async (store) => {
  await withDevices(store, ['one', 'two', 'three']);
  await store.inTransaction((tx) => tx.devices.add(deviceNumber(9, office)));
  const ids = async (of: { profile?: ProfileId }) => (await store.read.devices.list(anna, of)).map(({ id }) => id);
  assert.deepEqual(await ids({}), ['00000000', '00000001', '00000002', '00000009']);
  assert.deepEqual(await ids({ profile: office.id }), ['00000009']);
  assert.equal(await store.read.devices.count(anna), 4);
});

onBoth('pages go from the newest to the oldest and stay in step while devices come and go', async (store) => {
  await withDevices(store, ['a', 'b', 'c', 'd', 'e']);
  const first = await store.read.devices.page(anna, { limit: 2 });
  assert.deepEqual(
    first.map(({ name }) => name),
    ['e', 'd'],
  );
  await store.inTransaction(async (tx) => {
    await tx.devices.remove(anna, first[1]!.id);
    await tx.devices.add(deviceNumber(6, profile, { name: 'newest' }));
  });
  const second = await store.read.devices.page(anna, { limit: 2, after: first[1]! });
  assert.deepEqual(
    second.map(({ name }) => name),
    ['c', 'b'],
  );
  const sameAge = deviceNumber(0xff, profile, { createdAt: 1002, name: 'twin of c' });
  await store.inTransaction((tx) => tx.devices.add(sameAge));
  const third = await store.read.devices.page(anna, { limit: 9, after: sameAge });
  assert.deepEqual(
    third.map(({ name }) => name),
    ['c', 'b', 'a'],
  );
});

onBoth('a search finds part of a name or id in any case, and takes every character for itself', async (store) => {
  await withDevices(store, ['Wohnzimmer', 'ÄRGER 100%', 'under_score', 'underscore', 'back\\slash', 'ZIMMER 2']);
  const found = async (search: string) =>
    (await store.read.devices.page(anna, { limit: 9, search })).map(({ name }) => name);
  assert.deepEqual(await found('zimmer'), ['ZIMMER 2', 'Wohnzimmer']);
  assert.deepEqual(await found('ärger'), ['ÄRGER 100%']);
  assert.deepEqual(await found('%'), ['ÄRGER 100%']);
  assert.deepEqual(await found('_'), ['under_score']);
  assert.deepEqual(await found('\\'), ['back\\slash']);
  assert.deepEqual(await found('0000003'), ['underscore']);
  const ofOffice = await store.read.devices.page(anna, { limit: 9, search: 'zimmer', profile: office.id });
  assert.deepEqual(ofOffice, []);
});

onBoth('servers are paged and searched as devices are', async (store) => {
  await withAnna(store);
  const page = await store.read.profiles.page(anna, { limit: 1 });
  assert.deepEqual(page, [office]);
  assert.deepEqual(await store.read.profiles.page(anna, { limit: 1, after: office }), [profile]);
  assert.deepEqual(await store.read.profiles.page(anna, { limit: 9, search: 'DEFAULT' }), [profile]);
});

onBoth('the devices of an account are counted over all its servers', async (store) => {
  await withAnna(store);
  const { settings } = office;
  await store.inTransaction(async (tx) => {
    const access = {
      ...settings.access,
      allowedClients: ['AS1'],
      blockedClients: ['AS2'],
      blockedDomainRules: ['x', 'y'],
    };
    const rules = { enabled: true, rules: ['a', 'b', 'c', 'd'] };
    await tx.profiles.update({ ...office, settings: { ...settings, access } });
    await tx.profiles.update({ ...profile, settings: { ...settings, access, userRules: rules } });
    await tx.devices.add(deviceNumber(1, profile));
    await tx.dedicated.allocate(anna, ['192.0.2.1'], 1);
  });
  const expected = { devices: 1, dnsServers: 2, userRules: 4, accessRules: 6, dedicatedIpv4: 1 };
  assert.deepEqual(await store.read.accounts.counts(anna), expected);
  const nothing = { devices: 0, dnsServers: 0, userRules: 0, accessRules: 0, dedicatedIpv4: 0 };
  assert.deepEqual(await store.read.accounts.counts(accountId('nobody')), nothing);
});

onBoth('dedicated addresses are given from the pool in order, each once, until it is empty', async (store) => {
  await withAnna(store);
  const ben = newAccount('ben', 0xb0);
  await store.inTransaction((tx) => tx.accounts.create(ben));
  const pool = ['192.0.2.9', '192.0.2.1', '192.0.2.5'];
  const allocate = (who: typeof anna) => store.inTransaction((tx) => tx.dedicated.allocate(who, pool, 1));
  assert.equal((await allocate(anna))?.ip, '192.0.2.9');
  const rest = await Promise.all([allocate(ben.account.id), allocate(anna), allocate(ben.account.id)]);
  assert.deepEqual(new Set(rest.map((address) => address?.ip)), new Set(['192.0.2.1', '192.0.2.5', undefined]));
});

onBoth('a dedicated address is linked to one device at a time and outlives it', async (store) => {
  await withDevices(store, ['zero', 'one']);
  const [zero, one] = ['00000000' as DeviceId, '00000001' as DeviceId];
  const ip = '192.0.2.1';
  await store.inTransaction((tx) => tx.dedicated.allocate(anna, [ip], 1));
  assert.equal(await store.inTransaction((tx) => tx.dedicated.link(anna, ip, zero)), true);
  assert.equal(await store.inTransaction((tx) => tx.dedicated.link(anna, ip, one)), false);
  assert.deepEqual(await store.read.dedicated.ofDevice(anna, zero), [ip]);
  assert.equal(await store.inTransaction((tx) => tx.dedicated.unlink(anna, ip, one)), false);
  assert.equal(await store.inTransaction((tx) => tx.dedicated.unlink(anna, ip, zero)), true);
  await store.inTransaction((tx) => tx.dedicated.link(anna, ip, one));
  await store.inTransaction((tx) => tx.devices.remove(anna, one));
  assert.deepEqual(await store.read.dedicated.list(anna), [{ ip, account: anna, device: undefined }]);
});

onBoth(
  'the device of an address, and the devices behind a dynamic DNS name, are found in all accounts',
  async (store) => {
    await withAnna(store);
    const { profile: bens } = await store.inTransaction(async (tx) => {
      const ben = newAccount('ben', 0xb0);
      await tx.accounts.create(ben);
      return ben;
    });
    await store.inTransaction(async (tx) => {
      await tx.devices.add(deviceNumber(1, profile, { linkedIp: '192.0.2.7' }));
      await tx.devices.add(deviceNumber(2, profile, { ddnsName: 'home.example.org' }));
      await tx.devices.add(deviceNumber(3, bens, { ddnsName: 'home.example.org', linkedIp: '192.0.2.8' }));
    });
    const { devices } = store.read;
    assert.deepEqual(await devices.linkedTo('192.0.2.8'), { id: hex8(3), account: bens.account });
    assert.equal(await devices.linkedTo('192.0.2.9'), undefined);
    const named = async (after: string, limit: number) =>
      (await devices.withNames({ after, limit })).map(({ id, ddnsName }) => [id, ddnsName]);
    assert.deepEqual(await named('', 1), [[hex8(2), 'home.example.org']]);
    assert.deepEqual(await named(hex8(2), 9), [[hex8(3), 'home.example.org']]);
  },
);
