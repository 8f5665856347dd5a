import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountWith, deviceAt, deviceWith, profileWith } from '../../../test/support/resolver/directory.ts';
import { blockOf, parseDirectoryAccount } from '../../dns-server/account-blocks.ts';
import type { AccountId, ProfileId } from '../../domain/ids.ts';
import { proofLabel } from '../../domain/link-proof.ts';
import { readIndex } from './account-block.ts';
import { addressBytes } from './address-key.ts';
import { createDirectory, type Directory, isIdentifiedByIds } from './directory.ts';

const home = profileWith('aaaaaaaa');
const phone = deviceWith('00000001', home.id, { linkedIp: '192.0.2.7', humanId: 'Anna-Phone' });
const anna = accountWith('anna', {
  profiles: [home],
  devices: [phone],
  dedicated: [
    { ip: '198.51.100.1', device: phone.id },
    { ip: '198.51.100.2', device: undefined },
  ],
});

const ip = (text: string): Uint8Array => addressBytes(text)!;
const everyWay = (directory: Directory) =>
  [
    directory.byId('00000001'),
    directory.byHumanId(home.id, 'anna-phone'),
    deviceAt(directory, ip('192.0.2.7')),
    directory.byDedicatedAddress(ip('198.51.100.1')),
  ].map((known) => known?.device.id);

test('a device is found by its id, its own name and its addresses', () => {
  const directory = createDirectory();
  directory.replace(anna);
  assert.deepEqual(everyWay(directory), Array(4).fill('00000001'));
  assert.equal(deviceAt(directory, ip('::ffff:192.0.2.7'))?.device.id, '00000001');
  assert.equal(directory.byDedicatedAddress(ip('198.51.100.2')), undefined);
  assert.equal(directory.profile(home.id)?.account.id, 'anna');
  assert.deepEqual(directory.size(), { accounts: 1, devices: 1 });
});

test('it is data that a thread can send to another', () => {
  const directory = createDirectory();
  directory.replace(structuredClone(anna));
  assert.deepEqual(everyWay(directory), Array(4).fill('00000001'));
});

test('a removed account leaves nothing behind', () => {
  const directory = createDirectory();
  directory.replace(anna);
  directory.remove(anna.id);
  assert.deepEqual(everyWay(directory), Array(4).fill(undefined));
  assert.equal(directory.profile(home.id), undefined);
  assert.deepEqual(directory.size(), { accounts: 0, devices: 0 });
  directory.remove('nobody' as AccountId);
});

test('an account is replaced whole: what it no longer says is forgotten', () => {
  const directory = createDirectory();
  directory.replace(anna);
  directory.replace({ ...anna, devices: [deviceWith('00000002', home.id, { linkedIp: '192.0.2.8' })], dedicated: [] });
  assert.deepEqual(everyWay(directory), Array(4).fill(undefined));
  assert.equal(deviceAt(directory, ip('192.0.2.8'))?.device.id, '00000002');
});

test('an address that went to another account stays with it when the old one catches up', () => {
  const directory = createDirectory();
  directory.replace(anna);
  const office = profileWith('bbbbbbbb', {}, 'bert');
  const router = deviceWith('00000009', office.id, { linkedIp: '192.0.2.7' });
  const dedicated = [{ ip: '198.51.100.1', device: router.id }];
  directory.replace(accountWith('bert', { profiles: [office], devices: [router], dedicated }));
  directory.replace({ ...anna, devices: [deviceWith('00000001', home.id)], dedicated: [] });
  assert.equal(deviceAt(directory, ip('192.0.2.7'))?.device.id, '00000009');
  assert.equal(directory.byDedicatedAddress(ip('198.51.100.1'))?.device.id, '00000009');
});

test('unchanged parts of a profile stay the same objects', () => {
  const directory = createDirectory();
  directory.replace(anna);
  const before = directory.profile(home.id)!.profile;
  directory.replace(structuredClone(anna));
  assert.equal(directory.profile(home.id)!.profile, before);
  const settings = { ...before.settings, blockTtlSeconds: 99 };
  directory.replace(structuredClone({ ...anna, profiles: [{ ...home, settings }] }));
  const after = directory.profile(home.id)!.profile;
  assert.equal(after.settings.blockTtlSeconds, 99);
  assert.equal(after.settings.userRules, before.settings.userRules);
  assert.equal(directory.byId('00000001')!.profile, after);
});

test('an account that is identified by ids is read when the first of its clients asks', () => {
  const directory = createDirectory();
  const laptop = deviceWith('00000002', home.id, { addressSuffix: '0000000b' });
  const strange = deviceWith('00000003', 'another' as ProfileId, { addressSuffix: '0000000c' });
  const account = accountWith('anna', { profiles: [home], devices: [laptop, strange] });
  let reads = 0;
  const block = blockOf([{ ...account, customLists: [] }]);
  directory.replaceMany(block, readIndex(block), (line) => {
    reads += 1;
    return parseDirectoryAccount(line);
  });
  assert.deepEqual(directory.size(), { accounts: 1, devices: 2 });
  assert.equal(directory.byId('00000009'), undefined);
  assert.equal(reads, 0);
  assert.equal(directory.byAddressSuffix('0000000b')?.device.id, '00000002');
  assert.deepEqual([directory.byId('00000003'), directory.byAddressSuffix('0000000c')], [undefined, undefined]);
  assert.equal(directory.byId('00000002')?.profile, directory.profile(home.id)?.profile);
  assert.equal(reads, 1);
});

test('a device without a profile of its own account is not found, and an address never leads to a device of another account', () => {
  const directory = createDirectory();
  directory.replace(anna);
  const strange = deviceWith('00000003', home.id, { linkedIp: '192.0.2.9' });
  const dedicated = [{ ip: '198.51.100.3', device: phone.id }];
  directory.replace(accountWith('bert', { profiles: [], devices: [strange], dedicated }));
  assert.equal(directory.byId('00000003'), undefined);
  assert.equal(deviceAt(directory, ip('192.0.2.9')), undefined);
  assert.equal(directory.byDedicatedAddress(ip('198.51.100.3')), undefined);
});

const names = ['anna', 'bert', 'cleo'];
const change = fc.record({
  account: fc.constantFrom(...names),
  devices: fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
  linked: fc.option(fc.nat(3), { nil: undefined }),
  removed: fc.boolean(),
  // Identified by ids only, and read when it is needed.
  unread: fc.boolean(),
});

test('after any changes it equals a directory that is built from the final state', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const changed = createDirectory();
      const last = new Map<string, ReturnType<typeof accountWith>>();
      for (const { account, devices, linked, removed, unread } of changes) {
        last.delete(account);
        if (removed) changed.remove(account as AccountId);
        else last.set(account, snapshot(account, devices, unread ? 'ids only' : linked));
        const next = last.get(account);
        if (next) assert.equal(isIdentifiedByIds(next), unread || devices.length === 0);
        if (!next) continue;
        const block = blockOf([{ ...next, customLists: [] }]);
        if (unread) changed.replaceMany(block, readIndex(block), parseDirectoryAccount);
        else changed.replace(next);
      }
      const anew = createDirectory();
      for (const account of last.values()) anew.replace(account);
      assert.deepEqual(contents(changed), contents(anew));
    }),
  );
});

/** An address is linked in one account only, as in the store. */
function snapshot(account: string, devices: readonly number[], linked: number | 'ids only' | undefined) {
  const number = names.indexOf(account);
  const profile = profileWith(`${number}fffffff`, {}, account);
  return accountWith(account, {
    profiles: [profile],
    devices: devices.map((device) =>
      deviceWith(`${number}000000${device}`, profile.id, {
        humanId: linked === 'ids only' ? undefined : `Phone-${device}`,
        linkedIp: device === linked ? `192.0.${number}.${linked}` : undefined,
        addressSuffix: `${number}00000a${device}`,
      }),
    ),
  });
}

const contents = (directory: Directory) => ({
  size: directory.size(),
  profiles: names.map((_, account) => directory.profile(`${account}fffffff`)),
  found: names.flatMap((_, account) =>
    [0, 1, 2, 3, 4, 5].flatMap((device) => [
      directory.byAddressSuffix(`${account}00000a${device}`)?.device,
      directory.byId(`${account}000000${device}`)?.device,
      directory.byHumanId(`${account}fffffff` as ProfileId, `phone-${device}`)?.device,
      deviceAt(directory, ip(`192.0.${account}.${device}`))?.device,
    ]),
  ),
});

test('a pending address identifies no device, and is found by its proof label until it is linked or removed', () => {
  const directory = createDirectory();
  const label = proofLabel('token', (text) => createHash('sha256').update(text).digest());
  const pending = deviceWith('00000001', home.id, { pendingIp: '192.0.2.7', linkToken: 'token' });
  const found = { account: anna.id, device: pending.id, address: '192.0.2.7' };
  directory.replace({ ...anna, devices: [pending], dedicated: [] });
  assert.deepEqual(directory.byProofLabel(label), found);
  assert.equal(deviceAt(directory, addressBytes('192.0.2.7')!), undefined);
  const linked = { ...pending, pendingIp: undefined, linkedIp: '192.0.2.7' };
  directory.replace({ ...anna, devices: [linked], dedicated: [] });
  assert.equal(directory.byProofLabel(label), undefined);
  assert.equal(deviceAt(directory, addressBytes('192.0.2.7')!)?.device.id, pending.id);
  directory.replace({ ...anna, devices: [pending], dedicated: [] });
  directory.remove(anna.id);
  assert.equal(directory.byProofLabel(label), undefined);
});
