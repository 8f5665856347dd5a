import type { CountRow, Subject } from '../../api/statistics-rows.ts';
import { isLastUnfinished } from '../../components/complete-buckets.ts';

export type ComparedRow = CountRow & {
  /** Queries in the previous period of equal length. */
  readonly before?: number;
  /** Relative change; undefined if there were no queries before. */
  readonly change?: number;
};

/** Time rows are compared by index, all others by key. A last time row that is not over has no change. */
export function compareRows(
  by: Subject,
  rows: readonly CountRow[],
  before: readonly CountRow[],
  now: number,
): readonly ComparedRow[] {
  const isCut =
    by === 'time' &&
    isLastUnfinished(
      rows.map(({ key }) => ({ time_millis: Number(key) })),
      now,
    );
  const previous = new Map(before.map(({ key, queries }) => [key, queries]));
  return rows.map((row, index) => {
    const previousQueries = (by === 'time' ? before[index]?.queries : previous.get(row.key)) ?? 0;
    return {
      ...row,
      before: previousQueries,
      ...(previousQueries > 0 &&
        !(isCut && index === rows.length - 1) && { change: row.queries / previousQueries - 1 }),
    };
  });
}

export type SortColumn = 'key' | 'queries' | 'blocked' | 'share' | 'before' | 'change';
export type Sorting = { readonly column: SortColumn; readonly isUp: boolean };

export const shareOf = ({ queries, blocked = 0 }: CountRow): number => (queries === 0 ? 0 : blocked / queries);

const values: Readonly<Record<Exclude<SortColumn, 'key'>, (row: ComparedRow) => number>> = {
  queries: ({ queries }) => queries,
  blocked: ({ blocked = 0 }) => blocked,
  share: shareOf,
  before: ({ before = 0 }) => before,
  change: ({ change = Number.NEGATIVE_INFINITY }) => change,
};

export function sortedRows(
  rows: readonly ComparedRow[],
  { column, isUp }: Sorting,
  nameOf: (key: string) => string,
  by: Subject,
): readonly ComparedRow[] {
  const upwards = (one: ComparedRow, other: ComparedRow): number => {
    if (column !== 'key') return values[column](one) - values[column](other);
    return by === 'time' ? Number(one.key) - Number(other.key) : nameOf(one.key).localeCompare(nameOf(other.key));
  };
  return rows.toSorted((one, other) => (isUp ? upwards(one, other) : upwards(other, one)));
}
