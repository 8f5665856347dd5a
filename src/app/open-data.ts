import type { Logger } from 'pino';
import { defaultPlans, readPlans } from '../domain/account-limits.ts';
import { openCatalogue } from '../domain/catalogue/catalogue.ts';
import { ok } from '../kit/result.ts';
import { readDataFile } from '../platform/read-data-file.ts';
import { startQueryLog } from '../query-log/open-query-log.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { ringsFor } from './dns-service.ts';
import { openSettings } from './open-settings.ts';
import { logOptions } from './store-options.ts';

export type OpenedData = Awaited<ReturnType<typeof openData>>;

/** The data that the management API and DNS share. The thread of the query log may still be starting: see `recordsReady`. */
export async function openData(settings: Settings, log: Logger) {
  const catalogue = await readDataFile(settings.catalogue, (content) => openCatalogue((content ?? {}) as object));
  const plans = await readDataFile(settings.plans, (content) =>
    content === undefined ? ok(defaultPlans) : readPlans(content),
  );
  await using opened = new AsyncDisposableStack();
  const { store, lastKnown } = await openSettings(settings, log);
  opened.defer(() => store.close());
  opened.defer(watchPlace(store, log));
  const { records, ready } = startQueryLog({
    log: logOptions(settings),
    rings: ringsFor(settings),
    companies: settings.companies,
    geoDatabases: settings.geoDatabase,
    onProblem: (problem: unknown): void => log.warn({ err: problem }, 'the query log has a problem'),
  });
  // Awaiting `ready` also keeps a rejection from ending the process before the caller sees it.
  const isReady = ready.then(
    () => true,
    () => false,
  );
  opened.defer(async () => {
    if (await isReady) await records.stop();
  });
  const stack = opened.move();
  return { store, lastKnown, records, recordsReady: ready, catalogue, plans, stop: () => stack.disposeAsync() };
}

const LOOK_MS = 2000;

/** Logs when the file of the settings is deleted or replaced under the running server, and when it is back. */
function watchPlace(store: Store, log: Logger): () => void {
  let wasInPlace = true;
  const timer = setInterval(() => {
    const isInPlace = store.isInPlace();
    if (isInPlace === wasInPlace) return;
    wasInPlace = isInPlace;
    if (isInPlace) log.info('the file of the settings is back');
    else
      log.error(
        'the file of the settings was deleted or replaced while the server runs: changes are refused and DNS is answered by the last known settings; restore the file or a backup, then restart',
      );
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
