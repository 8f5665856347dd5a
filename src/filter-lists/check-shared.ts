import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isUrl } from '../compiler/sources/read-source.ts';
import { singleFlight } from '../kit/single-flight.ts';
import type { DownloadProgress } from './download-progress.ts';
import { textPath } from './list-folder.ts';
import type { Checked, CheckJob } from './list-jobs.ts';
import type { WantedList } from './list-request.ts';
import type { ListThreads } from './list-threads.ts';
import type { ListsLog } from './lists-settings.ts';
import { nextStep, type SharedLists, type SharedVersion } from './shared-lists.ts';

/** Intervals at which shared versions are compared: usually, and while a list waits for the leader. */
const LOOK_MS = 30_000;
const LOOK_WHEN_DUE_MS = 2000;
/** Lookups of all lists within this time share one result. */
const SAME_LOOK_MS = 1000;
/** A leader checks a list within its interval plus a jitter of 10 %. */
const PATIENCE = 1.5;

type When = { readonly overdueMs: number; readonly mustDownload: boolean };

/**
 * `checked`: undefined if there is nothing to record. `lookMs`: time until shared versions are compared again; undefined: when the list is
 * due.
 */
type Looked = {
  readonly checked: Checked | undefined;
  readonly lookMs?: number;
  /** Time until the sources should have been checked by the leader, if it differs from the usual interval. */
  readonly dueMs?: number;
};

/** Undefined during shutdown. */
export type Look = (
  job: CheckJob,
  when: When,
  onProgress?: (progress: DownloadProgress) => void,
) => Promise<Looked | undefined>;

type Deps = {
  readonly shared: SharedLists | undefined;
  readonly threads: ListThreads;
  readonly folder: string;
  readonly everyMs: () => number;
  readonly ticks: () => number;
  readonly log: ListsLog;
};

/** Local files, inline rules and generated lists are not shared. */
export const isShareable = ({ source, given }: WantedList): boolean =>
  given ? given.kind === 'configuration' : isUrl(source);

/** Checks of lists: of their sources, or of the versions that the nodes share. */
export function listChecks(deps: Deps): Look {
  const { shared, threads } = deps;
  const download: Look = async (job, _when, onProgress) => {
    const checked = await threads.check(job, onProgress);
    return checked && { checked };
  };
  if (!shared) return download;
  const ofSeveralNodes = checksOfSeveralNodes({ ...deps, shared });
  return (job, when, onProgress) => (isShareable(job.list) ? ofSeveralNodes : download)(job, when, onProgress);
}

function checksOfSeveralNodes({ shared, threads, folder, everyMs, ticks, log }: Deps & { shared: SharedLists }): Look {
  const seen = new Map<string, SharedVersion>();
  const looks = singleFlight<{ isLeader: boolean; versions: ReadonlyMap<string, SharedVersion> }>();
  let latest: {
    readonly at: number;
    readonly isLeader: boolean;
    readonly versions: ReadonlyMap<string, SharedVersion>;
  };

  const lookNow = async () => {
    try {
      const [isLeader, versions] = await Promise.all([shared.isLeader(), shared.versions()]);
      latest = { at: ticks(), isLeader, versions };
    } catch (error) {
      log.debug({ err: error }, 'shared filter lists cannot be read');
      latest = { at: ticks(), isLeader: false, versions: new Map() };
    }
    return latest;
  };
  const look = () => (latest && ticks() - latest.at < SAME_LOOK_MS ? latest : looks.run(lookNow));

  const note = (id: string, version: SharedVersion | undefined): void => void (version && seen.set(id, version));

  /** Undefined if the text cannot be read; the next check tries again. */
  const use = async (job: CheckJob, version: SharedVersion): Promise<Checked | undefined> => {
    try {
      const found = await shared.text(version.version);
      if (!found || hash('sha256', found.text) !== version.version) return undefined;
      // The node that published the version has already checked its size.
      return await threads.build({ ...job, isAccepted: true }, found.text, found.seen);
    } catch (error) {
      log.debug({ err: error, list: job.list.id }, 'a shared filter list cannot be read');
      return undefined;
    }
  };

  const publish = async ({ list, inUse }: CheckJob, checked: Checked): Promise<void> => {
    const version =
      checked.kind === 'new' ? checked.version.name : checked.kind === 'unchanged' ? inUse?.name : undefined;
    if (version === undefined) return;
    const validators = checked.kind === 'new' || checked.kind === 'unchanged' ? checked.seen : undefined;
    try {
      await shared.publish(list, version, async () => ({
        text: await readFile(textPath(folder, list.id, version)),
        seen: validators,
      }));
      note(list.id, { source: list.source, version, checks: -1 });
    } catch (error) {
      log.warn({ err: error, list: list.id }, 'a filter list could not be shared with the other nodes');
    }
  };

  return async (job, when, onProgress) => {
    const { id, source } = job.list;
    const { isLeader, versions } = await look();
    const found = versions.get(id);
    const version = found?.source === source ? found : undefined;
    const inUse = job.inUse?.source === source ? job.inUse.name : undefined;
    const step = nextStep({ shared: version, seenBefore: seen.get(id), inUse, isLeader, ...when });
    switch (step) {
      case 'download': {
        const checked = await threads.check(job, onProgress);
        if (checked) await publish(job, checked);
        return checked && { checked, lookMs: LOOK_MS };
      }
      case 'use': {
        const checked = await use(job, version!);
        if (checked) note(id, version);
        return { checked, lookMs: checked ? LOOK_MS : LOOK_WHEN_DUE_MS, dueMs: everyMs() * PATIENCE };
      }
      case 'confirmed':
        note(id, version);
        return { checked: { kind: 'unchanged', seen: job.seen }, lookMs: LOOK_MS, dueMs: everyMs() * PATIENCE };
      case 'wait':
        return {
          checked: undefined,
          lookMs: when.overdueMs < 0 ? Math.min(LOOK_MS, -when.overdueMs) : LOOK_WHEN_DUE_MS,
        };
    }
  };
}
