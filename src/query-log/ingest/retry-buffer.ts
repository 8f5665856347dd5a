import type { EncodedBatch } from '../query-log.ts';

/** As much as may wait for a log that takes nothing. */
const MAX_BYTES = 32 * 2 ** 20;
/** For what every batch takes beside its rows. */
const OVERHEAD = 200;
const WEEK_MS = 7 * 86_400_000;
/** As much as waits while the log keeps up. */
const MOST_NUMBERED_BYTES = 4 * 2 ** 20;

function bytesOf({ content }: EncodedBatch): number {
  if (content.kind === 'raw') return content.raw.length + OVERHEAD;
  const bodies = [...Object.values(content.parts), ...content.pages.map(([, body]) => body)];
  return bodies.reduce((sum, { length }) => sum + length, OVERHEAD);
}
// A log in files has one for each week, and only what goes to one file is committed as one.
const weekOf = ({ first }: EncodedBatch): number => Math.floor(first / WEEK_MS);

/**
 * What their numbers mean is all that was known when they were packed, and as long as they wait nobody can let go of it. Without numbers they
 * are counted by what is stored of them, which takes longer.
 */
const withoutNumbers = ({ account, first, last, rows, content }: EncodedBatch): EncodedBatch => ({
  account,
  first,
  last,
  rows,
  content,
});

export const rowsOf = (records: readonly EncodedBatch[]): number => records.reduce((sum, { rows }) => sum + rows, 0);

/** Packed rows that wait to be stored, in their order. When there are too many, the account that has most loses its newest. */
export function createRetryBuffer(onDropped: (records: EncodedBatch) => void, maxBytes = MAX_BYTES) {
  let waiting: EncodedBatch[] = [];
  const ofAccounts = new Map<string, number>();
  let bytes = 0;
  let rows = 0;

  const count = (records: EncodedBatch, sign: 1 | -1): void => {
    const size = bytesOf(records) * sign;
    bytes += size;
    rows += records.rows * sign;
    const left = (ofAccounts.get(records.account) ?? 0) + size;
    if (left === 0) ofAccounts.delete(records.account);
    else ofAccounts.set(records.account, left);
  };
  const greediest = (): string => {
    let most: readonly [string, number] = ['', -1];
    for (const each of ofAccounts) if (each[1] > most[1]) most = each;
    return most[0];
  };
  const dropSome = (): void => {
    while (bytes > maxBytes) {
      const account = greediest();
      const place = waiting.findLastIndex((records) => records.account === account);
      const [gone] = waiting.splice(place, 1);
      count(gone!, -1);
      onDropped(gone!);
    }
  };

  return {
    put(records: EncodedBatch): void {
      waiting.push(bytes < MOST_NUMBERED_BYTES ? records : withoutNumbers(records));
      count(records, 1);
      if (bytes > maxBytes) dropSome();
    },
    /** The oldest, so many bytes of them. */
    take(mostBytes: number): readonly EncodedBatch[] {
      let [end, size] = [0, 0];
      while (end < waiting.length && weekOf(waiting[end]!) === weekOf(waiting[0]!) && (end === 0 || size < mostBytes))
        size += bytesOf(waiting[end++]!);
      const taken = waiting.slice(0, end);
      waiting = waiting.slice(end);
      for (const records of taken) count(records, -1);
      return taken;
    },
    /** What was taken and could not be stored. */
    putBack(records: readonly EncodedBatch[]): void {
      waiting = [...records, ...waiting].map(withoutNumbers);
      for (const each of records) count(each, 1);
      dropSome();
    },
    /** All of one account; gives how many rows that were. */
    remove(account: string): number {
      const gone = waiting.filter((records) => records.account === account);
      if (gone.length === 0) return 0;
      waiting = waiting.filter((records) => records.account !== account);
      for (const records of gone) count(records, -1);
      return rowsOf(gone);
    },
    size: () => ({ bytes, rows, batches: waiting.length }),
  };
}
