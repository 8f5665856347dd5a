import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DirectoryFeed } from '../dns-server/directory-feed.ts';
import type { Catalogue } from '../domain/catalogue/catalogue.ts';
import { isSafetyList, type SafetySources, type WantedList, wantedLists } from '../filter-lists/list-request.ts';
import { type Lists, openLists } from '../filter-lists/open-lists.ts';
import type { SharedLists } from '../filter-lists/shared-lists.ts';
import type { Settings } from '../settings/settings.ts';
import type { ListeningPorts } from './listening-ports.ts';

/** Replaces the sources of filter lists by the copies of a controller. */
type ListMirror = {
  readonly mirrored: (lists: readonly WantedList[]) => readonly WantedList[];
  readonly host: string;
  readonly everySeconds: number;
};

export type FilterListParts = {
  readonly settings: Settings;
  readonly catalogue: Catalogue;
  readonly safety: SafetySources;
  /** Filter lists of the controller, instead of their sources. */
  readonly listMirror?: ListMirror | undefined;
  /** Filter lists that the nodes on the database share. */
  readonly sharedLists?: SharedLists | undefined;
  readonly ports: ListeningPorts;
  readonly log: Logger;
};

/** The filter lists that the accounts use. `secret` is the key of their tables. */
export const openFilterLists = (
  { settings, catalogue, safety, listMirror, sharedLists, ports, log }: FilterListParts,
  feed: Pick<DirectoryFeed, 'lists' | 'isFromStore'>,
  secret: Uint8Array,
): Promise<Lists> =>
  openLists({
    folder: join(settings.data, 'lists'),
    secret,
    wanted: () => {
      const custom = feed.lists.custom();
      const wanted = wantedLists(feed.lists.inUse(), { catalogue: catalogue.lists, safety, custom });
      return listMirror ? listMirror.mirrored(wanted) : wanted;
    },
    isDeleted: (id) =>
      feed.isFromStore() && !catalogue.lists.has(id) && !isSafetyList(id) && !feed.lists.isCustomList(id),
    everySeconds: listMirror?.everySeconds ?? settings.listUpdateIntervalSeconds,
    downloading: {
      sourcePorts: settings.sourcePort,
      allowNetworks: settings.allowSourceAddress,
      allowHosts: listMirror ? [...settings.allowSourceHost, listMirror.host] : settings.allowSourceHost,
      maxSourceBytes: settings.maxSourceSizeBytes,
      maxCompilationBytes: settings.maxCompilationSizeBytes,
      maxAccountRules: settings.maxCustomListRules,
    },
    ownPorts: ports.all,
    shared: sharedLists,
    log,
  });
