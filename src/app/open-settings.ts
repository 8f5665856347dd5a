import type { Logger } from 'pino';
import { type DirectorySnapshot, readSnapshot, snapshotPath } from '../dns-server/directory-snapshot.ts';
import type { Settings } from '../settings/settings.ts';
import type { ListenerState } from '../store/change-notifier.ts';
import { isSettingsFileEmpty, mayPass, openStore, openStoreLater, type Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { storeOptions } from './store-options.ts';

export type OpenedSettings = {
  readonly store: Store;
  /** What is answered by until the store can be read; undefined where it can. */
  readonly lastKnown: DirectorySnapshot | undefined;
};

/**
 * The store. Where its database cannot be used now, DNS has the snapshot to go by: then the store refuses until the database is
 * back. Without a snapshot nothing would be left to do, and the program says why it cannot start.
 */
export async function openSettings(
  settings: Pick<Settings, 'data' | 'database'>,
  log: Logger,
): Promise<OpenedSettings> {
  const options = {
    ...storeOptions(settings),
    onWarning: (warning: string) => log.warn(warning),
    notices: { onState: (state: ListenerState) => logListenerState(log, state) },
  };
  try {
    return { store: await openUnlessLost(options, settings), lastKnown: undefined };
  } catch (error) {
    if (!mayPass(error)) throw error;
    const found = await readSnapshot(snapshotPath(settings.data));
    if (found.kind === 'damaged') log.error({ problem: found.why }, 'the snapshot of the settings cannot be used');
    if (found.kind !== 'there') throw error;
    const { snapshot } = found;
    log.error(
      { problem: error.message, asOf: new Date(snapshot.takenAt).toISOString() },
      'the settings cannot be read: DNS is answered by the last known ones, and the management API refuses until they can be',
    );
    const onOpened = (): void => log.info('the settings can be read again');
    return { store: await openStoreLater(options, error, onOpened), lastKnown: snapshot };
  }
}

/** Accounts in the snapshot and none in the database: the settings are lost. This is not a new installation. */
async function openUnlessLost(
  options: Parameters<typeof openStore>[0],
  { data, database }: Pick<Settings, 'data' | 'database'>,
): Promise<Store> {
  // Nothing is written into an empty file before it is known to be new.
  const store = isSettingsFileEmpty(options) ? undefined : await openStore(options);
  if (store && (await store.read.accounts.count()) > 0) return store;
  const found = await readSnapshot(snapshotPath(data));
  // The last account may have been deleted just before a crash, when the snapshot still had it.
  const deleted = new Set<string>(await store?.read.accounts.deleted());
  const isNew =
    found.kind === 'there'
      ? found.snapshot.accounts.every(({ id }) => deleted.has(id))
      : found.kind === 'none' || store;
  if (isNew) return store ?? openStore(options);
  await store?.close();
  throw new StoreError(
    'lost',
    `${database === undefined ? 'settings.sqlite' : 'the database'} has no accounts, but the snapshot ${snapshotPath(data)} shows that there were some: ` +
      'restore a backup (weir restore --file FILE); to start a new installation, stop the server and delete the snapshot',
  );
}

function logListenerState(log: Logger, { listener, state, afterMs, error }: ListenerState): void {
  if (state === 'current') log.info({ listener }, 'all stored changes of settings are applied again');
  else if (afterMs === undefined)
    log.error(
      { listener, err: error },
      'a change of settings is stored, but applying it failed: the settings of before are in use; it is retried every second',
    );
  else
    log.error(
      { listener, afterMs },
      'a change of settings is stored, but not applied in time: the settings of before are in use until it is; its request was answered',
    );
}
