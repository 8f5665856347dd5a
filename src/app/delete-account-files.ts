import { existsSync } from 'node:fs';
import { blocksOf } from '../dns-server/account-blocks.ts';
import { readSnapshot, replaceSnapshot, snapshotPath } from '../dns-server/directory-snapshot.ts';
import type { AccountId } from '../domain/ids.ts';
import { StoreError } from '../domain/store-error.ts';
import { type LogStore, openLog } from '../query-log/index.ts';
import { lockFolder } from '../store/folder-lock.ts';
import { logOptions, type StoreSettings } from './store-options.ts';

/** Deletes the remaining data of a deleted account from the files and the query log. A running service does this itself. */
export async function deleteAccountFiles(settings: StoreSettings, account: AccountId): Promise<void> {
  const lock = settings.database === undefined ? lockUnlessInUse(settings.data) : undefined;
  if (lock === 'in use') return;
  try {
    await deleteIn(await openLogOf(settings), account);
    if (lock) await removeFromSnapshot(snapshotPath(settings.data), account);
  } finally {
    lock?.release();
  }
}

function lockUnlessInUse(folder: string): ReturnType<typeof lockFolder> | 'in use' {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'in use') return 'in use';
    throw error;
  }
}

async function openLogOf(settings: StoreSettings): Promise<LogStore | undefined> {
  const options = logOptions(settings);
  if ('folder' in options && !existsSync(options.folder)) return undefined;
  const onProblem = (problem: unknown): never => {
    throw problem;
  };
  return openLog(options, { onProblem });
}

async function deleteIn(log: LogStore | undefined, account: AccountId): Promise<void> {
  try {
    await log?.deleteAccount(account);
  } finally {
    await log?.close();
  }
}

async function removeFromSnapshot(path: string, account: AccountId): Promise<void> {
  const found = await readSnapshot(path);
  if (found.kind !== 'there') return;
  const { snapshot } = found;
  const others = async function* () {
    for await (const some of snapshot.accounts()) yield some.filter(({ id }) => id !== account);
  };
  await replaceSnapshot(path, snapshot, blocksOf(others()));
}
