import { HOUR_MS } from '../kit/durations.ts';
import { singleFlight } from '../kit/single-flight.ts';
import { noteReleased } from '../platform/idle-gc.ts';
import { afterCheck } from './after-check.ts';
import { BUILT_IN_SOURCE } from './built-in-list.ts';
import { isShareable } from './check-shared.ts';
import type { DownloadProgress } from './download-progress.ts';
import { type LineFiles, type LineReader, openLineReader } from './line-reader.ts';
import { type ChangedRules, readChanges } from './list-changes.ts';
import { removeList, tablePath, textPath, writeState } from './list-folder.ts';
import type { Checked } from './list-jobs.ts';
import type { WantedList } from './list-request.ts';
import type { ListState, Version } from './list-state.ts';
import { type ListStatus, listStatus } from './list-status.ts';
import type { ManagedListDeps } from './lists-settings.ts';
import { logCheck } from './log-check.ts';
import { firstCheckMs, nextCheckMs } from './next-check.ts';

/** The active table of a list. Plain data and shared memory that any thread can use. */
export type LiveTable = {
  readonly id: string;
  readonly buffer: SharedArrayBuffer;
  readonly version: string;
  /** The owner of a custom list. */
  readonly account: string | undefined;
  /** Input of `openLineReader`, which maps slots of this table to lines of the list. */
  readonly lines: LineFiles;
};

export type ManagedList = ReturnType<typeof createManagedList>;

/** Time for which a disabled list stays loaded, in case it is enabled again. */
const KEEP_TABLE_MS = HOUR_MS;
const KEEP_FILES_MS = 7 * 24 * HOUR_MS;

/** One list: its state, the active table, and the time of the next check. */
export function createManagedList(initial: ListState, deps: ManagedListDeps) {
  const { id } = initial;
  const { folder, everyMs, threads, look, ownPorts, now, ticks, random, log } = deps;
  let state = initial;
  let wanted: WantedList | undefined;
  let table: LiveTable | undefined;
  let reader: LineReader | undefined;
  const loads = singleFlight<void>();
  const checks = singleFlight<void>();
  /** When the sources should be checked, by this node or by the leader. */
  let dueAt = Infinity;
  /** When versions that nodes share are compared; undefined: at `dueAt`. */
  let lookAt: number | undefined;
  let mustDownload = false;
  let download: DownloadProgress | undefined;
  /** Whether a version that has lost more than half of its rules may be used. */
  let isAccepted = false;
  /** The version in the saved state. */
  let savedVersion = initial.inUse?.name;

  const isDownloaded = (): boolean => state.inUse !== undefined && state.inUse.source !== BUILT_IN_SOURCE;

  function acquire(list: WantedList): void {
    const before = wanted;
    wanted = list;
    if (state.unusedSince !== undefined) void saveState({ ...state, unusedSince: undefined });
    load();
    if (state.inUse?.source !== list.source) {
      if (before?.source !== list.source) dueAt = ticks();
      lookAt = undefined;
    } else if (!before) {
      scheduleFirst();
      if (deps.isSharing && isShareable(list)) lookAt = ticks();
    }
  }

  function scheduleFirst(): void {
    const { triedAt, problem } = state;
    dueAt = ticks() + firstCheckMs(everyMs(), { triedAt, problem, now: now() }, random());
  }

  function release(): void {
    wanted = undefined;
    if (state.unusedSince === undefined) void saveState({ ...state, unusedSince: now() });
  }

  function load(): void {
    if (table || loads.running()) return;
    const { builtIn } = wanted ?? {};
    const work = state.inUse ? loadNow(state.inUse) : builtIn === undefined ? undefined : useBuiltIn(wanted!, builtIn);
    if (work) void loads.run(() => work);
  }

  async function loadNow(version: Version): Promise<void> {
    const loaded = await threads.load({ kind: 'load', id, namedBy: wanted?.namedBy ?? 'account', version });
    if (!loaded || state.inUse?.name !== version.name) return;
    if (loaded.kind === 'lost') {
      log.warn({ list: id, problem: loaded.why }, 'a saved filter list is not usable and is downloaded again');
      state = { ...state, inUse: undefined, seen: undefined };
      dueAt = ticks();
      return;
    }
    if (loaded.kind === 'remade')
      log.warn({ list: id, problem: loaded.why }, 'saved table rejected, rebuilt from its text');
    state = { ...state, inUse: loaded.version };
    swap(tableFrom(loaded.version, loaded.buffer));
  }

  /** Used until the first download, so that a new installation filters without internet access. */
  async function useBuiltIn(list: WantedList, rules: string): Promise<void> {
    const given = { kind: 'rules', rules } as const;
    const builtIn = { list: { ...list, source: BUILT_IN_SOURCE, given }, isAccepted: false, keep: [] };
    const none = { inUse: undefined, seen: undefined, shrunk: undefined };
    const checked = await threads.check({ kind: 'check', ...builtIn, ...none, ownPorts: ownPorts(), now: now() });
    if (checked?.kind !== 'new' || state.inUse) return;
    await saveState({ ...state, inUse: checked.version });
    swap(tableFrom(checked.version, checked.buffer));
  }

  const tableFrom = ({ name }: Version, buffer: SharedArrayBuffer): LiveTable => ({
    id,
    buffer,
    version: name,
    account: wanted?.account,
    lines: { text: textPath(folder, id, name), table: tablePath(folder, id, name) },
  });

  function swap(next: LiveTable | undefined): void {
    if (table) noteReleased(table.buffer.byteLength);
    table = next;
    reader?.close();
    reader = undefined;
    deps.onSwap({ id, table });
  }

  const check = (): Promise<void> => checks.run(checkNow);

  async function checkNow(): Promise<void> {
    // Waits until a running load has ended (the built-in list), because a check deletes the files of versions that it does not know.
    if (!state.inUse) await loads.running();
    const list = wanted;
    if (!list) return;
    const { inUse, seen, shrunk, problem } = state;
    const keep = [inUse?.name, savedVersion].filter((name) => name !== undefined);
    const job = { list, inUse, seen, shrunk, isAccepted, keep, ownPorts: ownPorts(), now: now() };
    const when = { overdueMs: ticks() - dueAt, mustDownload: mustDownload || isAccepted };
    mustDownload = false;
    const looked = await look({ kind: 'check', ...job }, when, (progress) => {
      download = progress;
    }).finally(() => {
      download = undefined;
    });
    if (!looked) return;
    // The source may have changed during the check.
    const isOther = wanted && wanted.source !== list.source;
    const { checked, lookMs } = looked;
    lookAt = isOther || lookMs === undefined ? undefined : ticks() + lookMs;
    if (isOther) dueAt = ticks();
    else if (checked) dueAt = ticks() + (looked.dueMs ?? whenNext(checked));
    if (!checked) return;
    logCheck(log, id, checked, { hasVersion: isDownloaded(), problemBefore: problem?.why });
    if (job.isAccepted && checked.kind !== 'failed') isAccepted = false;
    // Saved before it is activated: the active version is never newer than the saved one.
    await saveState(afterCheck(state, checked, now()));
    if (checked.kind === 'new') swap(tableFrom(checked.version, checked.buffer));
    deps.onChecked(checked);
  }

  function whenNext(checked: Checked): number {
    const before = state.problem?.kind === 'failed' ? state.problem.times : 0;
    const failed =
      checked.kind === 'failed'
        ? { failures: before + 1, retryAfterMs: checked.retryAfterMs, isSlow: checked.isSlow }
        : { failures: 0 };
    return nextCheckMs(everyMs(), { ...failed, random: random() });
  }

  /** A failed write is only logged; the next start then uses an older state. */
  function saveState(next: ListState): Promise<void> {
    state = next;
    return deps.write(id, async () => {
      await writeState(folder, next);
      savedVersion = next.inUse?.name;
    });
  }

  return {
    id,
    acquire,
    release,
    load,
    check,
    isWanted: (): boolean => wanted !== undefined,
    /** Lists of one account share its downloads; undefined for lists of the operator. */
    account: (): string | undefined => (wanted?.namedBy === 'account' ? (wanted.account ?? '') : undefined),
    isChecking: (): boolean => checks.running() !== undefined,
    hasVersion: (): boolean => isDownloaded(),
    wasInUse: (): boolean => state.unusedSince === undefined,
    /** Time of the next check by the clock `ticks`; never for an unused list. */
    dueAt: (): number => (wanted ? (lookAt ?? dueAt) : Infinity),
    /** Applies a new check interval. A list whose source must be downloaded stays due. */
    reschedule(): void {
      if (wanted && state.inUse?.source === wanted.source) scheduleFirst();
    },
    table: (): LiveTable | undefined => table,
    status: (): ListStatus => ({ ...listStatus(state, wanted, table !== undefined, now()), download }),

    /** Undefined before the first update. */
    async changedRules(): Promise<ChangedRules | undefined> {
      const { inUse } = state;
      return inUse?.changes && readChanges(folder, id, inUse.name);
    },

    lineReader(): LineReader | undefined {
      if (table) reader ??= openLineReader(table.lines);
      return reader;
    },

    /** Checks the sources, also if another node usually does. */
    async checkSources(): Promise<void> {
      if (deps.isSharing) while (checks.running()) await checks.running();
      mustDownload = true;
      await check();
    },

    /** Uses a version that is held back because it has lost more than half of its rules. */
    async accept(): Promise<void> {
      while (checks.running()) await checks.running();
      // If the download of an accepted version fails, the scheduler retries it.
      if (!wanted || !state.shrunk || isAccepted) return;
      isAccepted = true;
      await check();
    },

    /** Evicts the table and later the files of an unused list; true if nothing is left. */
    evict(isDeleted: boolean): boolean {
      if (state.unusedSince === undefined || wanted || checks.running() || loads.running()) return false;
      const unusedMs = now() - state.unusedSince;
      if (table && (isDeleted || unusedMs > KEEP_TABLE_MS)) swap(undefined);
      if (!isDeleted && unusedMs <= KEEP_FILES_MS) return false;
      log.info(
        { list: id },
        isDeleted ? 'deleted the files of a deleted filter list' : 'deleted an unused filter list',
      );
      void deps.write(id, () => removeList(folder, id));
      return true;
    },

    loaded: (): Promise<void> => loads.running() ?? Promise.resolve(),
    settled: async (): Promise<void> => void (await Promise.all([loads.running(), checks.running()])),
    close: (): void => reader?.close(),
  };
}
