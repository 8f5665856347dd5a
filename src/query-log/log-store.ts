import type { LogPage, LogQuery } from '../domain/log-query.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import type { LogStatistics } from '../domain/statistics.ts';
import { StorageError } from '../domain/store-error.ts';

/** Rows and statistics of the query log. */
export type LogStore = {
  /** Resolves after the commit. */
  readonly append: (records: readonly QueryRecord[]) => Promise<void>;
  /** Stores the records of a batch once: its id is stored with them, in one transaction. */
  readonly appendOnce: (id: string, records: readonly QueryRecord[]) => Promise<void>;
  readonly page: (account: string, query: LogQuery) => Promise<LogPage>;
  /**
   * Deletes all rows appended before, and their statistics. The number of queries is retained, because otherwise an account could reset the
   * limit of its plan. Bytes in files are overwritten within half a minute.
   */
  readonly clear: (account: string) => Promise<void>;
  /** Deletes all data of a deleted account. Bytes in files are overwritten within half a minute. */
  readonly deleteAccount: (account: string) => Promise<void>;
  readonly statistics: LogStatistics;
  /** Every account that has rows or statistics. */
  readonly accounts: () => Promise<readonly string[]>;
  /** Number of queries since the start of that hour. */
  readonly requestsSince: (account: string, from: number) => Promise<number>;
  /** Deletes rows older than the cutoff of their account; rollups stay. */
  readonly applyRetention: (cutoffs: (account: string) => number) => Promise<void>;
  readonly health: () => Promise<LogHealth>;
  readonly close: () => Promise<void>;
};

/** `outdatedSegments`: segments of an earlier format that are not rewritten yet. */
type LogHealth = { readonly outdatedSegments: number };

export type LogErrorKind = 'disk full' | 'closed' | 'unavailable' | 'newer format' | 'unknown format';

/** A failed call of the log. Nothing was changed. */
export class LogError extends StorageError {
  override readonly name = 'LogError';
  readonly part = 'query log';
  readonly kind: LogErrorKind;
  readonly isTemporary: boolean;

  constructor(kind: LogErrorKind, cause?: unknown) {
    super(messageFor(kind, cause), cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.isTemporary = kind === 'disk full' || kind === 'unavailable';
  }

  /** Other threads receive the code of an error, not its other members. */
  get code(): LogErrorKind {
    return this.kind;
  }
}

/** Adds the reason why the log is unavailable. Errors of another thread have it already. */
function messageFor(kind: LogErrorKind, cause: unknown): string {
  const sentence = sentences[kind];
  if (kind !== 'unavailable' || !(cause instanceof Error)) return sentence;
  return cause.message.startsWith(sentence) ? cause.message : `${sentence}: ${cause.message}`;
}

const sentences: Readonly<Record<LogErrorKind, string>> = {
  'disk full': 'the query log cannot be written: the disk is full',
  closed: 'the query log is closed',
  unavailable: 'the query log cannot be reached',
  'newer format':
    'the query log was written by a newer version in a format that this version cannot read. Nothing was changed. Run that version again, or a later one',
  'unknown format':
    'the query log is in a format that no version of this program has released. Nothing was changed. Move it away (its folder, or all tables whose names begin with log_) to start a new one',
};

export const logErrorKinds: ReadonlySet<string | undefined> = new Set(Object.keys(sentences));
