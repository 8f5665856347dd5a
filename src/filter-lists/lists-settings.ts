import type { Logger } from 'pino';
import type { Checked, Downloading } from './list-jobs.ts';
import type { WantedList } from './list-request.ts';
import type { ListThreads } from './list-threads.ts';
import type { LiveTable } from './managed-list.ts';

export type ListsLog = Pick<Logger, 'info' | 'warn' | 'debug'>;

export type ListsSettings = {
  readonly folder: string;
  /** Of the installation, 8 bytes: what tables are made with. */
  readonly secret: Uint8Array;
  /** The lists that somebody uses. Asked again at `review`, and once in a while. */
  readonly wanted: () => Iterable<WantedList> | Promise<Iterable<WantedList>>;
  /** A custom list that was deleted, alone or with its account: its files are deleted at once. */
  readonly isDeleted?: ((id: string) => boolean) | undefined;
  readonly everySeconds: number;
  readonly downloading: Downloading;
  /** Where this program listens itself: no list may lead there. */
  readonly ownPorts: () => readonly number[];
  readonly log: ListsLog;
  /** The wall clock, for what is written down. */
  readonly now?: () => number;
  /** A clock that nobody sets, for what is waited for. */
  readonly ticks?: () => number;
  /** At least 0 and below 1. */
  readonly random?: () => number;
  /** How long a start waits for the lists that were saved; without them it lets through what they block. */
  readonly startWithinMs?: number;
};

export type Swap = { readonly id: string; readonly table: LiveTable | undefined };

/** What one list needs of the whole. */
export type Keeping = {
  readonly folder: string;
  readonly everyMs: number;
  readonly threads: ListThreads;
  readonly ownPorts: () => readonly number[];
  readonly now: () => number;
  readonly ticks: () => number;
  readonly random: () => number;
  readonly log: ListsLog;
  readonly onSwap: (swap: Swap) => void;
  readonly onChecked: (checked: Checked) => void;
  /** Writes of one list one after the other; one that fails is told of and no more. */
  readonly write: (id: string, job: () => Promise<void>) => Promise<void>;
};
