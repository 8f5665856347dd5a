import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { newAccount } from './accounts.ts';
import { newPostgresDatabase } from './postgres.ts';

export function temporaryFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An unused location for a store. */
type NewDatabase = (t: TestContext) => Promise<StoreOptions | undefined>;

export const databases: Readonly<Record<'SQLite' | 'PostgreSQL', NewDatabase>> = {
  SQLite: async (t) => ({ folder: temporaryFolder(t) }),
  PostgreSQL: async () => {
    const postgres = await newPostgresDatabase();
    return postgres === undefined ? undefined : { postgres };
  },
};

/** The store is closed with the test, however it ends. */
export async function openFor(t: TestContext, options: StoreOptions): Promise<Store> {
  const store = await openStore(options);
  t.after(() => store.close());
  return store;
}

type OnStore = (store: Store, about: { readonly t: TestContext; readonly options: StoreOptions }) => Promise<void>;

/** The same sentence about each database. */
export function onBoth(sentence: string, job: OnStore): void {
  for (const [name, newDatabase] of Object.entries(databases)) {
    test(`${name}: ${sentence}`, async (t) => {
      const options = await newDatabase(t);
      if (!options) return t.skip('there is no PostgreSQL here');
      await job(await openFor(t, options), { t, options });
    });
  }
}

/** Stores the account of `anna` with its owner and its default profile. */
export async function addAnna(store: Store): Promise<ReturnType<typeof newAccount>> {
  const { account, owner, profile } = newAccount('anna', 0xa0);
  await store.inTransaction((tx) => tx.accounts.create({ account, owner, profile }));
  return { account, owner, profile };
}
