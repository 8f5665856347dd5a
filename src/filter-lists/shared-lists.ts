import type { WantedList } from './list-request.ts';
import type { Seen } from './list-state.ts';

/** A version of a list that one of the nodes has downloaded. */
export type SharedVersion = {
  readonly source: string;
  /** Checksum of the text. */
  readonly version: string;
  /** Increases with every check of the sources that confirms or replaces the version. */
  readonly checks: number;
};

/** The lists of several nodes: one of them, the leader, downloads; the others use its texts. */
export type SharedLists = {
  readonly isLeader: () => Promise<boolean>;
  readonly versions: () => Promise<ReadonlyMap<string, SharedVersion>>;
  readonly text: (
    version: string,
  ) => Promise<{ readonly text: Uint8Array; readonly seen: readonly Seen[] | undefined } | undefined>;
  readonly publish: (
    list: WantedList,
    version: string,
    read: () => Promise<{ readonly text: Uint8Array; readonly seen: readonly Seen[] | undefined }>,
  ) => Promise<void>;
  /** Removes an unused list. */
  readonly remove: (id: string) => Promise<void>;
};

type Situation = {
  /** Published version of the same source, if one exists. */
  readonly shared: SharedVersion | undefined;
  /** The shared version that this node used, confirmed or published last. */
  readonly seenBefore: SharedVersion | undefined;
  readonly inUse: string | undefined;
  readonly isLeader: boolean;
  /** Time by which the check of the sources is overdue; negative if it is not due yet. */
  readonly overdueMs: number;
  /** Whether the operator or the owner has requested a check of the sources. */
  readonly mustDownload: boolean;
};

/** `use`: the shared version. `confirmed`: the leader has checked the active version. `wait`: look again later. */
export type Step = 'download' | 'use' | 'confirmed' | 'wait';

/** Time after which a node downloads a due list that the leader has not published. */
export const LEADER_WITHIN_MS = 60_000;

/**
 * The next step of a node. A shared version is used once: if this node has later downloaded another one and could not publish it, the
 * older one does not replace it. Times are those of this node, so clocks may differ.
 */
export function nextStep({ shared, seenBefore, inUse, isLeader, overdueMs, mustDownload }: Situation): Step {
  if (mustDownload) return 'download';
  const isNews = shared !== undefined && shared.version !== seenBefore?.version;
  if (isNews && shared.version !== inUse) return 'use';
  if (isLeader) return overdueMs >= 0 ? 'download' : 'wait';
  if (shared && shared.version === inUse && shared.checks !== seenBefore?.checks) return 'confirmed';
  return overdueMs >= LEADER_WITHIN_MS ? 'download' : 'wait';
}
