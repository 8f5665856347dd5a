import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import { accountId, accountNamed, newAccount } from '../../test/support/store/accounts.ts';
import { newPostgresDatabase } from '../../test/support/store/postgres.ts';
import { onBoth, openFor, temporaryFolder } from '../../test/support/store/stores.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { changedAccounts, openChangeFeed } from './change-feed.ts';
import { type Change, deleteOldChanges, noChange, storeChanges } from './changes.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openPostgres } from './postgres-database.ts';
import { openSqlite } from './sqlite-database.ts';
import type { StoreOptions } from './store.ts';

const [anna, ben] = [accountId('anna'), accountId('ben')];
const row = (revision: number, account: Change['account'] = anna, at = revision): Change => ({ revision, account, at });

const histories: Readonly<Record<string, readonly [Change, readonly Change[], readonly string[] | undefined]>> = {
  'nothing new': [row(3), [row(3)], []],
  'two new changes': [row(3), [row(3), row(4), row(5, ben)], [anna, ben]],
  'an empty table': [noChange, [], []],
  'the first change': [noChange, [row(1, ben)], [ben]],
  'the position was deleted': [row(3), [row(9)], undefined],
  'the first changes were deleted': [noChange, [row(9)], undefined],
  'a database that was restored to an earlier state': [row(3), [], undefined],
  'a server that had not received the position': [row(3), [row(3, ben, 7), row(4)], undefined],
  'a change of all accounts': [row(3), [row(3), row(4, null)], undefined],
};

for (const [what, [position, rows, expected]] of Object.entries(histories))
  test(`${what}: ${expected ? 'only the changed accounts are read' : 'all accounts are read'}`, () => {
    assert.deepEqual(changedAccounts(position, rows), expected && new Set(expected));
  });

const beside = (options: StoreOptions): StoreOptions =>
  'folder' in options ? { ...options, besideServer: true } : options;

onBoth('another process hears which accounts changed, also of a command beside it', async (store, { t, options }) => {
  const other = await openFor(t, beside(options));
  const heard: ChangedAccounts[] = [];
  store.onCommit((changed) => void heard.push(changed));
  await other.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  await other.inTransaction((tx) => tx.accounts.create(newAccount('ben', 0xb0)));
  const all = (): readonly string[] => [
    ...new Set(heard.flatMap((changed): readonly string[] => (changed === 'all' ? ['all'] : [...changed]))),
  ];
  await until('both changes', () => all().length >= 2);
  assert.deepEqual(all(), [anna, ben]);
  assert.equal(store.changes().revision, 2);
  assert.equal(other.changes().revision, 2);
});

onBoth('a change is read at the interval when no notification arrives', async (_store, { t, options }) => {
  const database = await opened(t, options);
  const heard: ChangedAccounts[] = [];
  const feed = await openChangeFeed({
    database: { ...database, onForeignCommit: () => {} },
    notify: (changed) => void heard.push(changed),
    pollMs: 10,
  });
  t.after(feed.stop);
  await database.transaction((run) => storeChanges(database.kind, run, [anna], 1));
  await until('the change', () => heard.length > 0);
  assert.deepEqual(heard, [new Set([anna])]);
});

test('processes also hear of commits past the database', async (t) => {
  const folder = temporaryFolder(t);
  const listeners = new Set<() => void>();
  let announced = 0;
  const notices = {
    announce: () => {
      announced += 1;
    },
    listen: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const store = await openFor(t, { folder, notices });
  const database = openSqlite({ folder, besideServer: true });
  t.after(() => database.close());
  const heard: ChangedAccounts[] = [];
  const feed = await openChangeFeed({
    database: { ...database, onForeignCommit: () => {} },
    notify: (changed) => void heard.push(changed),
    notices,
    pollMs: 1_000_000,
  });
  await store.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
  assert.equal(announced, 1);
  for (const listener of listeners) listener();
  await until('the change', () => heard.length > 0);
  assert.deepEqual(heard, [new Set([anna])]);
  assert.equal(listeners.size, 2);
  feed.stop();
  assert.equal(listeners.size, 1);
});

onBoth('own changes are not read again, also not between those of others', async (_store, { t, options }) => {
  const database = await opened(t, options);
  const heard: ChangedAccounts[] = [];
  let look = (): void => {};
  const feed = await openChangeFeed({
    database: {
      ...database,
      onForeignCommit(listener) {
        look = listener;
      },
    },
    notify: (changed) => void heard.push(changed),
  });
  t.after(feed.stop);
  const change = (account: Change['account'] & string) =>
    database.transaction((run) => storeChanges(database.kind, run, [account], 1));
  // The process of the feed has committed the second change before it has read the first.
  const [, own] = [await change(ben), await change(anna)];
  feed.committed(own);
  look();
  await until('the change of the other process', () => feed.state().revision === 2);
  assert.deepEqual(heard, [new Set([ben])]);
  feed.committed(await change(anna));
  assert.equal(feed.state().revision, 3);
});

onBoth('old changes are deleted, the newest never', async (_store, { t, options }) => {
  const { kind, transaction, read } = await opened(t, options);
  await transaction((run) => storeChanges(kind, run, [anna, ben], 1));
  await transaction((run) => deleteOldChanges(kind, run, 2));
  const revisions = async () => (await read<Change>({ sql: 'select revision from changes', parameters: [] })).rows;
  assert.deepEqual(await revisions(), [{ revision: 1 }, { revision: 2 }], 'not older than a day');
  await transaction((run) => deleteOldChanges(kind, run, Date.now()));
  assert.deepEqual(await revisions(), [{ revision: 2 }]);
});

onBoth(
  'while the database cannot be read the lag grows, and then all missed changes are read',
  async (_store, about) => {
    const database = await opened(about.t, about.options);
    let isAway = false;
    const heard: ChangedAccounts[] = [];
    const feed = await openChangeFeed({
      database: {
        ...database,
        onForeignCommit: () => {},
        read: async (statement) => (isAway ? Promise.reject(new Error('away')) : database.read(statement)),
      },
      notify: (changed) => void heard.push(changed),
      pollMs: 5,
    });
    about.t.after(feed.stop);
    isAway = true;
    await database.transaction((run) => storeChanges(database.kind, run, [anna], 1));
    await until('a lag', () => feed.state().lagMs > 50);
    assert.equal(feed.state().revision, 0);
    isAway = false;
    await until('the change', () => heard.length > 0);
    assert.deepEqual(heard, [new Set([anna])]);
    await until('no lag', () => feed.state().lagMs < 50);
  },
);

test('PostgreSQL: revisions of concurrent transactions become visible in order', async (t) => {
  const postgres = await newPostgresDatabase();
  if (postgres === undefined) return t.skip('there is no PostgreSQL here');
  const stores = await Promise.all([openFor(t, { postgres }), openFor(t, { postgres })]);
  const words = Array.from({ length: 8 }, (_, nth) => `account${nth}`);
  for (const [nth, word] of words.entries())
    await stores[0].inTransaction((tx) => tx.accounts.create(newAccount(word, 0xa0 + nth * 16)));
  const database = await openPostgres(postgres);
  t.after(() => database.close());
  let isRunning = true;
  const seen: number[] = [];
  // A reader that remembers the newest revision must never find an older one that it has not seen.
  const watched = (async () => {
    for (let newest = 8; isRunning; newest = seen.at(-1) ?? newest) {
      const { rows } = await database.read<Change>({
        sql: `select revision from changes where revision > ${newest} order by revision`,
        parameters: [],
      });
      seen.push(...rows.map(({ revision }) => revision));
    }
  })();
  const rounds = Array.from({ length: 10 }, (_, nth) => nth);
  await Promise.all(
    words.map(async (word, nth) => {
      for (const round of rounds)
        await stores[nth % 2]!.inTransaction(async (tx) => {
          await tx.accounts.update(accountNamed(word, { plan: `plan${round}` }));
        });
    }),
  );
  const total = 8 + words.length * rounds.length;
  await until('all revisions', () => seen.at(-1) === total);
  isRunning = false;
  await watched;
  assert.deepEqual(
    seen,
    Array.from({ length: words.length * rounds.length }, (_, nth) => 9 + nth),
  );
});

async function opened(t: TestContext, options: StoreOptions) {
  const database =
    'folder' in options ? openSqlite({ folder: temporaryFolder(t) }) : await openPostgres(options.postgres);
  t.after(() => database.close());
  await migrate(database, migrations);
  return database;
}
