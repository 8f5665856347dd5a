import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountNamed } from '../../test/support/store/accounts.ts';
import { defaultPlans } from '../domain/account-limits.ts';
import type { AccountTexts } from '../domain/account-texts.ts';
import type { AccountId } from '../domain/ids.ts';
import type { AccountSnapshot, ChangeListener } from '../domain/repositories.ts';
import { accountsIn, blockOf, type FeedBlock } from './account-blocks.ts';
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

const textsOf = ({ account }: AccountSnapshot): AccountTexts => ({
  ...snapshotOf('', ''),
  account,
  profiles: [],
  devices: { json: '[]', ids: [], suffixes: [], areIdentifiedByIds: true },
});

function use(used: Map<string, string>, block: FeedBlock, skipped: ReadonlySet<string>): void {
  for (const { id, timeZone } of accountsIn(block)) if (!skipped.has(id)) used.set(id, timeZone);
}

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
          const all = [...stored.values()].map(textsOf);
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
    sendBlock: async (block, skipped) => use(used, block, skipped),
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

test('a start with known accounts reads only the changed ones, also those that change meanwhile', async () => {
  const [anna, ben, carl] = ['anna', 'ben', 'carl'].map((word) => accountNamed(word).id) as [
    AccountId,
    AccountId,
    AccountId,
  ];
  const stored = new Map([
    [anna, snapshotOf('anna', 'UTC')],
    [ben, snapshotOf('ben', 'Europe/Berlin')],
    [carl, snapshotOf('carl', 'Asia/Tokyo')],
  ]);
  const read: string[] = [];
  const used = new Map<string, string>();
  const reported: unknown[] = [];
  let notify: ChangeListener = () => {};
  const source = storeSource(
    {
      allAccounts: () => assert.fail('all accounts are read'),
      snapshot: async (id) => {
        read.push(id);
        return stored.get(id);
      },
      onCommit: (listener) => {
        notify = listener;
        return () => {};
      },
    },
    defaultPlans,
  );
  const known = await Promise.all([anna, ben, carl].map(source.account));
  read.length = 0;
  const blockWith = (accounts: readonly (typeof known)[number][], timeZone: string) =>
    blockOf(accounts.map((account) => ({ ...account!, timeZone })));
  async function* blocks() {
    yield { block: blockWith([known[0]], 'UTC'), outdated: new Set<string>() };
    await notify(new Set([carl]));
    yield { block: blockWith(known.slice(1), 'UTC'), outdated: new Set<string>() };
    yield { block: blockWith([known[0]], 'America/Lima'), outdated: new Set<string>([anna]) };
  }
  const feed = await openDirectoryFeed({
    source,
    lastKnown: { changes: async () => new Set([ben]), blocks },
    sendBlock: async (block, skipped) => use(used, block, skipped),
    ruleTables: { areNeeded: () => false, of: async () => new Map(), forget: () => {} },
    send: async ({ accounts }) => {
      for (const { id, timeZone } of accounts) used.set(id, timeZone);
    },
    onSent: ({ accounts }) => reported.push(accounts === 'all' ? accounts : accounts.map(({ id }) => id)),
  });
  assert.deepEqual(read, [carl, ben]);
  assert.deepEqual([used.get(anna), used.get(ben), used.get(carl)], ['UTC', 'Europe/Berlin', 'Asia/Tokyo']);
  assert.deepEqual(reported, [[carl], [ben]]);
  assert.equal(feed.isFromStore(), true);
  feed.stop();
});
