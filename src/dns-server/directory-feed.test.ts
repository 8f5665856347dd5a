import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountNamed } from '../../test/support/store/accounts.ts';
import { defaultPlans } from '../domain/account-limits.ts';
import type { AccountSnapshot, ChangeListener } from '../domain/repositories.ts';
import { openDirectoryFeed, storeSource } from './directory-feed.ts';

const snapshotOf = (word: string, timeZone: string): AccountSnapshot => ({
  account: accountNamed(word, { timeZone }),
  profiles: [],
  devices: [],
  dedicated: [],
  customLists: [],
  networks: [],
  localRecords: [],
  forwardRules: [],
  identifiers: [],
});

test('an account that changes while all accounts are read is not overwritten by what was read before', async () => {
  const stored = new Map(['anna', 'ben'].map((word) => [accountNamed(word).id, snapshotOf(word, 'UTC')]));
  const used = new Map<string, string>();
  const mayGoOn = Promise.withResolvers<void>();
  let isSlow = false;
  let notify: ChangeListener = () => {};
  const feed = await openDirectoryFeed({
    source: storeSource(
      {
        async *allAccounts() {
          const all = [...stored.values()];
          if (isSlow) await mayGoOn.promise;
          yield all;
        },
        snapshot: async (id) => stored.get(id),
        onCommit: (listener) => {
          notify = listener;
          return () => {};
        },
      },
      defaultPlans,
    ),
    lastKnown: undefined,
    ruleTables: { areNeeded: () => false, of: async () => new Map(), forget: () => {} },
    send: async ({ accounts, removed }) => {
      for (const { id, timeZone } of accounts) used.set(id, timeZone);
      for (const id of removed) used.delete(id);
    },
    onSent: () => {},
  });
  const [anna, ben] = [...stored.keys()];
  isSlow = true;
  const all = notify('all');
  // The read of all accounts has begun.
  await new Promise((resolve) => setImmediate(resolve));
  stored.set(anna!, snapshotOf('anna', 'Europe/Berlin'));
  await notify(new Set([anna!]));
  stored.delete(ben!);
  await notify(new Set([ben!]));
  mayGoOn.resolve();
  await all;
  assert.deepEqual([...used], [[anna, 'Europe/Berlin']]);
  feed.stop();
});
