import assert from 'node:assert/strict';
import {
  accessTokenOf,
  accountId,
  accountNamed,
  auditEntryOf,
  deviceNumber,
  forwardRuleOf,
  hex8,
  invitationOf,
  keyOf,
  localRecordOf,
  newAccount,
  sessionOf,
  userNamed,
} from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import type { CustomList } from '../domain/custom-list.ts';
import type { DeviceId, KeyId, ProfileId, UserId } from '../domain/ids.ts';
import type { StoreReader, Transaction } from '../domain/repositories.ts';
import type { Store } from './store.ts';

const anna = newAccount('anna', 0xa0);
const ben = newAccount('ben', 0xb0);
const annas = accountId('anna');
const bens = accountId('ben');
const bensPhone = deviceNumber(0xb1, ben.profile, { humanId: 'Phone' });
const bensAddress = '192.0.2.11';

const listOf = (word: 'anna' | 'ben'): CustomList => ({
  id: `list-${word}`,
  account: accountId(word),
  name: word,
  source: { kind: 'rules', rules: '||a^' },
  createdAt: 1,
});

async function withBoth(store: Store): Promise<void> {
  await store.inTransaction(async (tx) => {
    for (const [word, made] of [
      ['anna', anna],
      ['ben', ben],
    ] as const) {
      const number = Number.parseInt(made.profile.id, 16) + 1;
      await tx.accounts.create(made);
      await tx.devices.add(deviceNumber(number, made.profile, { humanId: 'Phone' }));
      await tx.keys.add(keyOf(word));
      await tx.tokens.addSession(sessionOf(word));
      await tx.tokens.addAccess(accessTokenOf(word), 2000);
      await tx.invitations.add(invitationOf(word));
      await tx.audit.add(auditEntryOf(word));
      await tx.customLists.add(listOf(word));
      await tx.localRecords.add(made.account.id, [localRecordOf(word, made.profile.id)]);
      await tx.forwardRules.add(forwardRuleOf(word));
      const identifier = { kind: 'host name', value: `phone-${word}` } as const;
      await tx.deviceIdentifiers.replace(made.account.id, hex8(number) as DeviceId, [identifier]);
      await tx.dedicated.allocate(made.account.id, ['192.0.2.10', bensAddress], 1);
    }
    await tx.dedicated.link(bens, bensAddress, bensPhone.id);
  });
}

// All reads with Anna's account and ids of Ben's resources.
const asked: {
  readonly [G in keyof StoreReader]?: {
    readonly [F in keyof StoreReader[G]]?: (read: StoreReader) => Promise<unknown>;
  };
} = {
  users: { find: (read) => read.users.find(annas, ben.owner.id) },
  profiles: {
    find: (read) => read.profiles.find(annas, ben.profile.id),
    page: (read) => read.profiles.page(annas, { limit: 9, search: ben.profile.id }),
  },
  devices: {
    find: (read) => read.devices.find(annas, bensPhone.id),
    findByHumanId: (read) => read.devices.findByHumanId(annas, ben.profile.id, 'Phone'),
    list: (read) => read.devices.list(annas, { profile: ben.profile.id }),
    page: (read) => read.devices.page(annas, { limit: 9, profile: ben.profile.id }),
  },
  tokens: { sessions: (read) => read.tokens.sessions(annas, 'user-ben' as UserId) },
  customLists: { find: (read) => read.customLists.find(annas, 'list-ben') },
  deviceIdentifiers: { ofDevice: (read) => read.deviceIdentifiers.ofDevice(annas, bensPhone.id) },
  dedicated: { ofDevice: (read) => read.dedicated.ofDevice(annas, bensPhone.id) },
};

onBoth('in the name of one account nothing of another is found', async (store) => {
  await withBoth(store);
  for (const [group, functions] of Object.entries(asked)) {
    for (const [name, ask] of Object.entries(functions)) {
      const found = await ask(store.read);
      assert.deepEqual(Array.isArray(found) ? found : [found].filter(Boolean), [], `${group}.${name}`);
    }
  }
});

onBoth('an account lists only its own data', async (store) => {
  await withBoth(store);
  const { read } = store;
  const lists = await Promise.all([
    read.users.members(annas),
    read.keys.list(annas),
    read.invitations.list(annas),
    read.tokens.sessions(annas, 'user-anna' as UserId),
    read.profiles.list(annas),
    read.profiles.page(annas, { limit: 9 }),
    read.devices.list(annas),
    read.devices.page(annas, { limit: 9, search: 'phone' }),
    read.dedicated.list(annas),
    read.customLists.list(annas),
    read.localRecords.list(annas),
    read.forwardRules.list(annas),
    read.audit.list(annas, { limit: 9 }),
  ]);
  for (const list of lists)
    assert.deepEqual(
      list.map((thing) => thing.account),
      [annas],
    );
  assert.deepEqual(
    (await read.deviceIdentifiers.list(annas)).map(({ value }) => value),
    ['phone-anna'],
  );
  const { devices, dnsServers, dedicatedIpv4 } = await read.accounts.counts(annas);
  assert.deepEqual([devices, dnsServers, dedicatedIpv4, await read.devices.count(annas)], [1, 1, 1, 1]);
  const snapshot = await store.snapshot(annas);
  assert.equal(JSON.stringify(snapshot).includes('ben'), false);
});

// All changes with Anna's account and ids of Ben's resources: none may change a row.
const changes: readonly (readonly [string, (tx: Transaction) => Promise<unknown>])[] = [
  ['users.update', (tx) => tx.users.update(userNamed('ben', { account: annas, email: 'x@example.org' }))],
  ['users.remove', (tx) => tx.users.remove(annas, 'user-ben' as UserId)],
  ['keys.remove', (tx) => tx.keys.remove(annas, 'key-ben' as KeyId)],
  ['tokens.removeFamily', (tx) => tx.tokens.removeSession(annas, 'family-ben')],
  ['tokens.removeOfUser', (tx) => tx.tokens.removeOfUser(annas, 'user-ben' as UserId)],
  ['invitations.remove', (tx) => tx.invitations.remove(annas, 'invitation-ben')],
  ['profiles.update', (tx) => tx.profiles.update({ ...ben.profile, account: annas, name: 'mine' })],
  ['profiles.remove', (tx) => tx.profiles.remove(annas, ben.profile.id)],
  ['devices.update', (tx) => tx.devices.update({ ...bensPhone, account: annas, profile: anna.profile.id })],
  ['devices.remove', (tx) => tx.devices.remove(annas, bensPhone.id)],
  ['dedicated.link', (tx) => tx.dedicated.link(annas, bensAddress, hex8(0xa1) as DeviceId)],
  ['customLists.update', (tx) => tx.customLists.update({ ...listOf('ben'), account: annas, name: 'mine' })],
  ['localRecords.update', (tx) => tx.localRecords.update({ ...localRecordOf('ben'), account: annas })],
  ['localRecords.remove', (tx) => tx.localRecords.remove(annas, 'record-ben')],
  ['forwardRules.update', (tx) => tx.forwardRules.update({ ...forwardRuleOf('ben'), account: annas })],
  ['forwardRules.remove', (tx) => tx.forwardRules.remove(annas, 'rule-ben')],
  ['customLists.remove', (tx) => tx.customLists.remove(annas, 'list-ben')],
  ['deviceIdentifiers.replace', (tx) => tx.deviceIdentifiers.replace(annas, bensPhone.id, [])],
  ['dedicated.unlink', (tx) => tx.dedicated.unlink(annas, bensAddress, bensPhone.id)],
];

onBoth('in the name of one account nothing of another is changed', async (store) => {
  await withBoth(store);
  const before = await bensThings(store);
  for (const [name, change] of changes) {
    const outcome = await store.inTransaction(change);
    const found = typeof outcome === 'object' && outcome && 'value' in outcome ? outcome.value : outcome;
    assert.ok(found === false || found === undefined, name);
    assert.deepEqual(await bensThings(store), before, name);
  }
});

onBoth('a reference to data of another account is rejected', async (store) => {
  await withBoth(store);
  const device = deviceNumber(0xa9, anna.profile, { profile: ben.profile.id as ProfileId });
  await assert.rejects(
    store.inTransaction((tx) => tx.devices.add(device)),
    /foreign key|FOREIGN KEY/,
  );
  const move = { ...deviceNumber(0xa1, anna.profile), profile: ben.profile.id };
  await assert.rejects(
    store.inTransaction((tx) => tx.devices.update(move)),
    /foreign key|FOREIGN KEY/,
  );
  await assert.rejects(
    store.inTransaction((tx) => tx.localRecords.add(annas, [{ ...localRecordOf('anna', ben.profile.id), id: 'x' }])),
    /foreign key|FOREIGN KEY/,
  );
  const link = (tx: Transaction) => tx.dedicated.link(annas, '192.0.2.10', bensPhone.id);
  await assert.rejects(store.inTransaction(link), /foreign key|FOREIGN KEY/);
  const identify = (tx: Transaction) =>
    tx.deviceIdentifiers.replace(annas, bensPhone.id, [{ kind: 'host name', value: 'mine' }]);
  await assert.rejects(store.inTransaction(identify), /foreign key|FOREIGN KEY/);
});

onBoth('with one account nothing of another goes', async (store) => {
  await withBoth(store);
  const before = await bensThings(store);
  await store.inTransaction((tx) => tx.accounts.remove(annas, auditEntryOf('anna', { id: 'gone' })));
  await store.inTransaction((tx) => tx.accounts.update(accountNamed('anna')));
  assert.deepEqual(await bensThings(store), before);
});

async function bensThings({ read, snapshot }: Store) {
  return [
    await snapshot(bens),
    await read.users.members(bens),
    await read.keys.list(bens),
    await read.keys.byHash('key hash ben'),
    await read.tokens.accessByHash('access hash ben', 0),
    await read.tokens.sessionByRefreshHash('refresh hash ben'),
    await read.invitations.list(bens),
    await read.audit.list(bens, { limit: 9 }),
  ];
}
