import { type DirectorySource, openDirectoryFeed, storeSource } from '../dns-server/directory-feed.ts';
import { readSecrets } from '../dns-server/dns-secrets.ts';
import type { LiveTable } from '../filter-lists/managed-list.ts';
import type { Lists } from '../filter-lists/open-lists.ts';
import type { Settings } from '../settings/settings.ts';
import { type FilterListParts, openFilterLists } from './open-filter-lists.ts';
import type { FullNodeParts } from './open-node.ts';
import { safetySources } from './safety-sources.ts';
import { sharedListsOf } from './shared-filter-lists.ts';

/** Time for a list that is downloaded for the first time; an edge asks again a minute after a failure. */
const WAIT_MS = 10_000;

type Parts = FilterListParts & { readonly source: DirectorySource };
type NodeParts = Pick<FullNodeParts, 'settings' | 'catalogue' | 'store' | 'ports' | 'log'>;

/** No queries are answered in this process. */
const noTables = { areNeeded: () => false, of: async () => new Map(), forget: () => {} };

/** The filter lists of a node without DNS. */
async function openListService(parts: Parts) {
  await using opened = new AsyncDisposableStack();
  const { names } = await readSecrets(parts.settings.data);
  let review = (): void => {};
  const feed = await openDirectoryFeed({
    source: parts.source,
    lastKnown: undefined,
    ruleTables: noTables,
    send: async () => {},
    sendBlock: async () => {},
    onSent: ({ haveListsChanged }) => {
      if (haveListsChanged) review();
    },
  });
  opened.defer(async () => feed.stop());
  const lists = await openFilterLists(parts, feed, names);
  opened.defer(() => lists.close());
  review = () => void lists.review();
  // Lists of accounts that changed while the others were loaded.
  review();
  const stack = opened.move();
  return { lists, stop: () => stack.disposeAsync() };
}

/** Opens the lists when the first edge needs them, because a node without DNS does not use them itself. */
export function listsForEdges({ settings, catalogue: { catalogue, plans }, store, ports, log }: NodeParts) {
  let opening: Promise<{ readonly lists: Lists; readonly stop: () => Promise<void> } | undefined> | undefined;
  let lists: Lists | undefined;
  let { listUpdateIntervalSeconds } = settings;
  const open = async () => {
    try {
      const service = await openListService({
        settings: { ...settings, listUpdateIntervalSeconds },
        catalogue,
        safety: safetySources(settings, catalogue),
        sharedLists: sharedListsOf(store, settings),
        source: storeSource(store, plans),
        ports,
        log,
      });
      lists = service.lists;
      return service;
    } catch (error) {
      opening = undefined;
      log.warn({ err: error }, 'the filter lists for edges could not be opened; retrying when an edge asks');
      return undefined;
    }
  };
  return {
    /** Undefined until they are opened. */
    current: (): Lists | undefined => lists,
    opened: async (): Promise<Lists | undefined> => {
      opening ??= open();
      return (await opening)?.lists;
    },
    async useInterval(next: Settings): Promise<void> {
      ({ listUpdateIntervalSeconds } = next);
      await (await opening)?.lists.useInterval(listUpdateIntervalSeconds);
    },
    stop: async (): Promise<void> => (await opening)?.stop(),
  };
}

/** The table of a list; waits until the list is registered as in use and downloaded for the first time. */
export async function tableSoon(lists: Lists, id: string, waitMs = WAIT_MS): Promise<LiveTable | undefined> {
  const hasFailed = lists.status().some((list) => list.id === id && list.problem);
  if (!lists.tableOf(id) && !hasFailed) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = lists.onSwap((swap) => {
      if (swap.id === id) resolve();
    });
    const timer = setTimeout(resolve, waitMs);
    await promise;
    clearTimeout(timer);
    stop();
  }
  return lists.tableOf(id);
}
