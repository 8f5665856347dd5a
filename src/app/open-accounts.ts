import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { snapshotPath } from '../dns-server/directory-snapshot.ts';
import { indexPath } from '../dns-server/snapshot-index.ts';
import { accountAdministration } from '../operations/accounts.ts';
import { createPasswords } from '../operations/passwords.ts';
import { openStore } from '../store/store.ts';
import { deleteAccountFiles } from './delete-account-files.ts';
import { type StoreSettings, storeOptions } from './store-options.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** Opens the store for commands of the operator, whether the service runs or not. */
export async function openAccounts(settings: StoreSettings, now: () => number) {
  const store = await openStore({ ...storeOptions(settings), besideServer: true });
  const administration = accountAdministration({
    store,
    now,
    random: (bytes) => randomBytes(bytes),
    sha256: (text) => createHash('sha256').update(text).digest(),
    hashPassword: createPasswords().hash,
  });
  return {
    ...administration,

    async remove(email: string): Promise<void> {
      const account = await administration.remove(email);
      await store.erase();
      await deleteAccountFiles(settings, account);
      // A snapshot with accounts beside a store without any would mean that the settings are lost.
      if ((await store.read.accounts.count()) > 0) return;
      const path = snapshotPath(settings.data);
      for (const file of [path, indexPath(path)]) await rm(file, { force: true });
    },

    backup: (file: string): Promise<void> => store.backup(file, now()),
    restore: (file: string): Promise<void> => store.restore(file),
    close: (): Promise<void> => store.close(),
  };
}
