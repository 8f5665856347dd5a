import type { CountRow, Subject } from '../../api/statistics-rows.ts';
import { type Period, rangeOf } from '../../components/period.ts';

export type ComparedRow = CountRow & {
  /** In the time before, of the same length. */
  readonly before?: number;
  /** Of 1; undefined where there was nothing before. */
  readonly change?: number;
};

/** The time before this one, as long as it. */
export function periodBefore(period: Period, now: number): Period {
  const { from, to } = rangeOf(period, now);
  return { kind: 'range', from: from - (to - from), to: from };
}

/** Hours and days are compared by their place, everything else by its name. */
export function comparedRows(
  by: Subject,
  rows: readonly CountRow[],
  before: readonly CountRow[],
): readonly ComparedRow[] {
  const known = new Map(before.map(({ key, queries }) => [key, queries]));
  return rows.map((row, place) => {
    const was = (by === 'time' ? before[place]?.queries : known.get(row.key)) ?? 0;
    return { ...row, before: was, ...(was > 0 && { change: row.queries / was - 1 }) };
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
