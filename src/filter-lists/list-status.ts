import { BUILT_IN_SOURCE } from './built-in-list.ts';
import type { DownloadProgress } from './download-progress.ts';
import type { ChangeCounts } from './list-changes.ts';
import type { WantedList } from './list-request.ts';
import type { ListState, Problem } from './list-state.ts';

/** Status of a list for monitoring. Times are wall-clock milliseconds. */
export type ListStatus = {
  readonly id: string;
  readonly source: string | undefined;
  /** Undefined for an unused list. */
  readonly namedBy: WantedList['namedBy'] | undefined;
  /** Whether queries are filtered with it. */
  readonly isLoaded: boolean;
  /** The built-in list is used until the first download. */
  readonly isBuiltIn: boolean;
  readonly rules: number;
  /** When this version was fetched. */
  readonly fetchedAt: number | undefined;
  /** When its source last confirmed this version. */
  readonly checkedAt: number | undefined;
  /** Seconds since `checkedAt`. */
  readonly ageSeconds: number | undefined;
  /** Size of the table in memory. */
  readonly bytes: number;
  readonly textBytes: number;
  /** Rules that a DNS filter does not support, and invalid lines. */
  readonly ignored: number;
  readonly invalid: number;
  /** By the last update; undefined before the first one. */
  readonly changes: ChangeCounts | undefined;
  readonly problem: Problem | undefined;
  /** A version with less than half of the rules is not used until it is accepted, or offered for a day. */
  readonly isHeldBack: boolean;
  /** Of the download that is in progress. */
  readonly download?: DownloadProgress | undefined;
};

export function listStatus(
  state: ListState,
  wanted: WantedList | undefined,
  isLoaded: boolean,
  now: number,
): ListStatus {
  const { id, inUse, checkedAt, problem } = state;
  const isBuiltIn = inUse?.source === BUILT_IN_SOURCE;
  return {
    id,
    source: wanted?.source ?? (isBuiltIn ? undefined : inUse?.source),
    namedBy: wanted?.namedBy,
    isLoaded,
    isBuiltIn,
    rules: inUse?.rules ?? 0,
    fetchedAt: isBuiltIn ? undefined : inUse?.fetchedAt,
    checkedAt,
    ageSeconds: checkedAt === undefined ? undefined : Math.max(0, Math.round((now - checkedAt) / 1000)),
    bytes: isLoaded ? (inUse?.bytes ?? 0) : 0,
    textBytes: inUse?.textBytes ?? 0,
    ignored: inUse?.ignored ?? 0,
    invalid: inUse?.invalid ?? 0,
    changes: inUse?.changes,
    problem,
    isHeldBack: state.shrunk !== undefined,
  };
}
