import { type EncodedBatch, isShared } from '../log-engine.ts';
import { type SharedRows, withoutAccount } from '../segments/shared-rows.ts';

/** Limit of buffered rows while the log fails. */
const MAX_BYTES = 32 * 2 ** 20;
/** Size of a batch without its rows. */
const OVERHEAD = 200;
const WEEK_MS = 7 * 86_400_000;
/** Typical size while the log keeps up. */
const MOST_NUMBERED_BYTES = 4 * 2 ** 20;

function bytesOf(batch: EncodedBatch): number {
  if (isShared(batch)) return batch.raw.length + OVERHEAD;
  const { content } = batch;
  if (content.kind === 'raw') return content.raw.length + OVERHEAD;
  const bodies = [...Object.values(content.parts), ...content.pages.map(([, body]) => body)];
  return bodies.reduce((sum, { length }) => sum + length, OVERHEAD);
}
// A log in files has one file per week, and only writes to one file commit atomically.
const weekOf = ({ first }: EncodedBatch): number => Math.floor(first / WEEK_MS);

/**
 * Pair ids retain all tables of the enricher that assigned them. Without them the rows are counted from the stored
 * segment, which is slower.
 */
function withoutNumbers(batch: EncodedBatch): EncodedBatch {
  if (isShared(batch)) return batch;
  const { account, first, last, rows, content } = batch;
  return { account, first, last, rows, content };
}

/** Shared batches are limited together. */
const SHARED = '';
const ownerOf = (batch: EncodedBatch): string => (isShared(batch) ? SHARED : batch.account);
const hasAccount = (batch: EncodedBatch, account: string): boolean =>
  isShared(batch) ? batch.accounts.some((part) => part.account === account) : batch.account === account;

export const rowsOf = (records: readonly EncodedBatch[]): number => records.reduce((sum, { rows }) => sum + rows, 0);

/**
 * Encoded rows that wait to be stored, in order. Above the limit, the account with the most bytes loses its newest
 * rows.
 */
export function createRetryBuffer(onDropped: (records: EncodedBatch) => void, maxBytes = MAX_BYTES) {
  let waiting: EncodedBatch[] = [];
  const byAccount = new Map<string, number>();
  let bytes = 0;
  let rows = 0;

  const count = (records: EncodedBatch, sign: 1 | -1): void => {
    const size = bytesOf(records) * sign;
    bytes += size;
    rows += records.rows * sign;
    const owner = ownerOf(records);
    const left = (byAccount.get(owner) ?? 0) + size;
    if (left === 0) byAccount.delete(owner);
    else byAccount.set(owner, left);
  };
  const largestAccount = (): string => {
    let most: readonly [string, number] = ['', -1];
    for (const entry of byAccount) if (entry[1] > most[1]) most = entry;
    return most[0];
  };
  const dropSome = (): void => {
    while (bytes > maxBytes) {
      const account = largestAccount();
      const index = waiting.findLastIndex((records) => ownerOf(records) === account);
      const [removed] = waiting.splice(index, 1);
      count(removed!, -1);
      onDropped(removed!);
    }
  };

  return {
    put(records: EncodedBatch): void {
      waiting.push(bytes < MOST_NUMBERED_BYTES ? records : withoutNumbers(records));
      count(records, 1);
      if (bytes > maxBytes) dropSome();
    },
    /** Removes the oldest batches, up to `mostBytes`. */
    take(mostBytes: number): readonly EncodedBatch[] {
      let [end, size] = [0, 0];
      while (end < waiting.length && weekOf(waiting[end]!) === weekOf(waiting[0]!) && (end === 0 || size < mostBytes))
        size += bytesOf(waiting[end++]!);
      const taken = waiting.slice(0, end);
      waiting = waiting.slice(end);
      for (const records of taken) count(records, -1);
      return taken;
    },
    /** Returns batches that could not be stored. */
    putBack(records: readonly EncodedBatch[]): void {
      waiting = [...records, ...waiting].map(withoutNumbers);
      for (const batch of records) count(batch, 1);
      dropSome();
    },
    /** Removes all rows of an account; returns their number. */
    remove(account: string): number {
      const removed = waiting.filter((records) => hasAccount(records, account));
      if (removed.length === 0) return 0;
      const left = new Map(removed.filter(isShared).map((batch) => [batch, withoutAccount(batch, account)]));
      waiting = waiting.flatMap((records) => {
        if (!hasAccount(records, account)) return [records];
        return left.get(records as SharedRows) ?? [];
      });
      for (const records of removed) count(records, -1);
      const remaining = [...left.values()].filter((batch) => batch !== undefined);
      for (const records of remaining) count(records, 1);
      return rowsOf(removed) - rowsOf(remaining);
    },
    size: () => ({ bytes, rows, batches: waiting.length }),
  };
}
