import type { Logger } from 'pino';
import { type DirectorySnapshot, readSnapshot, snapshotPath } from '../dns-server/directory-snapshot.ts';
import { StoreError } from '../domain/store-error.ts';
import type { Settings } from '../settings/settings.ts';
import type { ChangeNotices } from '../store/change-feed.ts';
import type { ListenerState } from '../store/change-notifier.ts';
import { isSettingsFileEmpty, openReconnectingStore, openStore, type Store } from '../store/store.ts';
import { storeOptions } from './store-options.ts';

type StoreSettings = Pick<Settings, 'data' | 'database'>;
type OpenedStore = {
  readonly store: Store;
  /** The accounts that DNS uses until the store can be read; undefined if it can. */
  readonly lastKnown: DirectorySnapshot | undefined;
};

/** Opens the store and logs when its file is deleted or replaced. */
export async function openSettingsStore(
  settings: StoreSettings,
  log: Logger,
  notices?: ChangeNotices,
): Promise<OpenedStore & { readonly close: () => Promise<void> }> {
  const opened = await openOrReconnect(settings, log, notices);
  const stopWatching = watchFile(opened.store, log);
  const close = async (): Promise<void> => {
    stopWatching();
    await opened.store.close();
  };
  return { ...opened, close };
}

/**
 * Without a usable database DNS continues with the last snapshot, and the store rejects calls until the database is back. Without a
 * snapshot the service cannot start.
 */
async function openOrReconnect(
  settings: StoreSettings,
  log: Logger,
  notices: ChangeNotices | undefined,
): Promise<OpenedStore> {
  const options = {
    ...storeOptions(settings),
    notices,
    onWarning: (warning: string, error?: unknown) => log.warn({ ...(error !== undefined && { err: error }) }, warning),
    notifier: { onState: (state: ListenerState) => logListenerState(log, state) },
  };
  try {
    return { store: await openUnlessLost(options, settings), lastKnown: undefined };
  } catch (error) {
    if (!(error instanceof StoreError) || !error.isTemporary) throw error;
    const found = await readSnapshot(snapshotPath(settings.data));
    if (found.kind === 'damaged') log.error({ problem: found.why }, 'the snapshot of the settings is damaged');
    if (found.kind !== 'there') throw error;
    const { snapshot } = found;
    log.error(
      { problem: error.message, asOf: new Date(snapshot.takenAt).toISOString() },
      'the settings cannot be read: DNS uses the last known ones, and the management API is unavailable until they can be',
    );
    const onOpened = (): void => log.info('the settings can be read again');
    return { store: await openReconnectingStore(options, error, onOpened), lastKnown: snapshot };
  }
}

/** The snapshot has accounts and the database has none: the settings were lost. This is not a new installation. */
async function openUnlessLost(
  options: Parameters<typeof openStore>[0],
  { data, database }: StoreSettings,
): Promise<Store> {
  // An empty file is not written to until the installation is known to be new.
  const store = isSettingsFileEmpty(options) ? undefined : await openStore(options);
  if (store && (await store.read.accounts.count()) > 0) return store;
  const found = await readSnapshot(snapshotPath(data));
  // The last account may have been deleted just before a crash, when the snapshot still had it.
  const deleted = new Set<string>(await store?.read.accounts.deleted());
  const isNew =
    found.kind === 'there' ? await hasOnly(found.snapshot, deleted) : found.kind === 'none' || store !== undefined;
  if (isNew) return store ?? openStore(options);
  await store?.close();
  throw new StoreError(
    'lost',
    `${database === undefined ? 'settings.sqlite' : 'the database'} has no accounts, but the snapshot ${snapshotPath(data)} shows that there were some: ` +
      'restore a backup (weir restore --file FILE); to start a new installation, stop the server and delete the snapshot',
  );
}

async function hasOnly(snapshot: DirectorySnapshot, ids: ReadonlySet<string>): Promise<boolean> {
  for await (const accounts of snapshot.accounts()) if (accounts.some(({ id }) => !ids.has(id))) return false;
  return true;
}

export function logListenerState(log: Logger, { listener, state, afterMs, error }: ListenerState): void {
  if (state === 'current') log.info({ listener }, 'all stored changes of settings are applied');
  else if (afterMs === undefined)
    log.error(
      { listener, err: error },
      'a stored change of settings could not be applied: the previous settings stay in use; retrying every second',
    );
  else
    log.error(
      { listener, afterMs },
      'a stored change of settings was not applied in time: the previous settings stay in use until it is',
    );
}

const CHECK_MS = 2000;

function watchFile(store: Store, log: Logger): () => void {
  let wasInPlace = true;
  const timer = setInterval(() => {
    const isInPlace = store.isInPlace();
    if (isInPlace === wasInPlace) return;
    wasInPlace = isInPlace;
    if (isInPlace) log.info('the settings file is back');
    else
      log.error(
        'the settings file was deleted or replaced while the service runs: changes are rejected and DNS uses the last known settings; restore the file or a backup, then restart',
      );
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}
