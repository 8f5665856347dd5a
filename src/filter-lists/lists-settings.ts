import type { Logger } from 'pino';
import type { Look } from './check-shared.ts';
import type { Checked, Downloading } from './list-jobs.ts';
import type { WantedList } from './list-request.ts';
import type { ListThreads } from './list-threads.ts';
import type { LiveTable } from './managed-list.ts';
import type { SharedLists } from './shared-lists.ts';

export type ListsLog = Pick<Logger, 'info' | 'warn' | 'debug'>;

export type ListsSettings = {
  readonly folder: string;
  /** The installation's secret of 8 bytes, the key of the tables. */
  readonly secret: Uint8Array;
  /** The lists in use. Called by `review` and periodically. */
  readonly wanted: () => Iterable<WantedList> | Promise<Iterable<WantedList>>;
  /** Whether a custom list was deleted, alone or with its account: its files are deleted immediately. */
  readonly isDeleted?: ((id: string) => boolean) | undefined;
  readonly everySeconds: number;
  readonly downloading: Downloading;
  /** Ports of this program: no list may be downloaded from them. */
  readonly ownPorts: () => readonly number[];
  readonly log: ListsLog;
  /** Undefined if this node downloads its lists itself. */
  readonly shared?: SharedLists | undefined;
  /** Wall clock, for persistent times. */
  readonly now?: () => number;
  /** Monotonic clock, for intervals. */
  readonly ticks?: () => number;
  /** At least 0 and below 1. */
  readonly random?: () => number;
  /** Maximum time that the start waits for saved lists, whose rules do not block until they are loaded. */
  readonly startWithinMs?: number;
};

export type Swap = { readonly id: string; readonly table: LiveTable | undefined };

/** Dependencies of a single list. */
export type ManagedListDeps = {
  readonly folder: string;
  readonly everyMs: () => number;
  readonly threads: ListThreads;
  readonly look: Look;
  /** Whether nodes share versions of lists. */
  readonly isSharing: boolean;
  readonly ownPorts: () => readonly number[];
  readonly now: () => number;
  readonly ticks: () => number;
  readonly random: () => number;
  readonly log: ListsLog;
  readonly onSwap: (swap: Swap) => void;
  readonly onChecked: (checked: Checked) => void;
  /** Serialises the writes of a list; a failed write is logged. */
  readonly write: (id: string, job: () => Promise<void>) => Promise<void>;
};
