import assert from 'node:assert/strict';
import { accountId, deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
import { onBoth } from '../../test/support/store/stores.ts';
import { defaultPlans } from '../domain/account-limits.ts';
import { defaultSettings } from '../domain/default-settings.ts';
import { readIndex } from '../resolver/identity/account-block.ts';
import { accountsIn, blockOf, useIn } from './account-blocks.ts';
import { storeSource } from './directory-feed.ts';

onBoth('the lines of all accounts are those of each account, with the same index', async (store) => {
  const made = ['anna', 'ben', 'carl', 'dora', 'emil'].map((word, number) => newAccount(word, 0xa0 + number));
  const [anna, ben, carl, dora] = made.map(({ profile }) => profile);
  await store.inTransaction(async (tx) => {
    for (const each of made) await tx.accounts.create(each);
    const quoted = { name: 'A "name"\\\n\u2028 – Gerät 🖨', tags: ['user_child'], pausedUntil: 5 };
    await tx.devices.add({ ...deviceNumber(2, anna!), ...quoted, addressSuffix: '0000000b' });
    await tx.devices.add({ ...deviceNumber(1, anna!), protectionEnabled: false, dohAuthOnly: true });
    await tx.devices.add({ ...deviceNumber(3, ben!), humanId: 'Ben-Phone' });
    await tx.devices.add({ ...deviceNumber(4, ben!), linkedIp: '192.0.2.7' });
    await tx.devices.add({ ...deviceNumber(5, carl!), pendingIp: '192.0.2.8' });
    await tx.devices.add(deviceNumber(6, dora!));
    await tx.dedicated.allocate(dora!.account, ['192.0.2.1'], 1);
    const userRules = { enabled: true, rules: ['/^ads[0-9]+\\./'] };
    await tx.profiles.update({ ...anna!, settings: { ...defaultSettings(), userRules } });
    await tx.accounts.update({ ...made[1]!.account, logEnabled: false, limitOverrides: { devices: 7 } });
    await tx.customLists.add({
      id: 'mine',
      account: accountId('emil'),
      name: 'Mine',
      source: { kind: 'rules', rules: '||ads.example^' },
      createdAt: 1,
    } as never);
  });
  const source = storeSource(store, defaultPlans);
  const [block, ...more] = await Array.fromAsync(source.allAccounts());
  assert.deepEqual(more, []);
  const ids = readIndex(block!).map(({ id }) => id);
  assert.equal(ids.length, made.length);
  const each = await Promise.all(ids.map((id) => source.account(id as never)));
  const expected = blockOf(each.map((account) => account!));
  assert.deepEqual(accountsIn(block!), accountsIn(expected));
  const facts = (of: typeof expected) =>
    readIndex(of).map((account) => ({
      id: account.id,
      flags: account.flags,
      devices: account.devices,
      keys: [...of.index.subarray(account.keysAt, account.keysEnd)].sort((one, other) => one - other),
      use: useIn(of, account),
    }));
  assert.deepEqual(facts(block!), facts(expected));
  // For readers of lines.
  assert.equal(
    Buffer.from(block!.lines)
      .toString()
      .split(/[\n\u2028]/).length,
    made.length + 1,
  );
});
