import { BUILT_IN_SOURCE } from './built-in-list.ts';
import type { WantedList } from './list-request.ts';
import type { ListState, Problem } from './list-state.ts';

/** How a list is, for whoever watches over it. Times are milliseconds by the wall clock. */
export type ListStatus = {
  readonly id: string;
  readonly source: string | undefined;
  /** Undefined when nobody uses it any more. */
  readonly namedBy: WantedList['namedBy'] | undefined;
  /** Whether queries are filtered with it. */
  readonly isLoaded: boolean;
  /** The built-in list is used until the first download. */
  readonly isBuiltIn: boolean;
  readonly rules: number;
  /** Since when this version of it is here. */
  readonly fetchedAt: number | undefined;
  /** When its source last said that this is the current version. */
  readonly checkedAt: number | undefined;
  /** How long ago that was. */
  readonly ageSeconds: number | undefined;
  /** Of the table in memory. */
  readonly bytes: number;
  readonly textBytes: number;
  /** Lines that are rules, but not for a DNS filter, and lines that are none. */
  readonly ignored: number;
  readonly invalid: number;
  readonly problem: Problem | undefined;
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
    problem,
  };
}
