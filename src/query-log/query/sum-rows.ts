import type { StatisticsQuery } from '../../domain/statistics.ts';
import type { FoundSegment } from '../backends/log-backend.ts';
import { skipCorrupt } from '../segments/checksum-error.ts';
import { keyFields } from '../segments/row.ts';
import { type Rows, rowsOf } from './count-clients.ts';
import type { Predicate } from './filter.ts';
import { mayMatch, type Reading } from './read-page.ts';
import { wantedTuples } from './read-segment.ts';

/** A sum that the rollups do not contain. */
type RowSum<Sums> = {
  /** Identifies the sum in the cache, together with the predicates. */
  readonly name: string;
  readonly predicates: readonly Predicate[];
  readonly sum: (rows: Rows, isWanted: (row: number) => boolean) => Sums;
};

const BYTES_PER_ENTRY = 100;
const BYTES_FOR_KEY = 400;

/** Sums of each segment of the range. Segments are immutable, so the sums of those inside the range are cached. */
export async function sumRows<Sums extends ReadonlyMap<unknown, unknown>>(
  reading: Reading,
  account: string,
  { from, to }: Pick<StatisticsQuery, 'from' | 'to'>,
  { name, predicates, sum }: RowSum<Sums>,
): Promise<readonly Sums[]> {
  const { view, cache, onProblem } = reading;
  const filter = JSON.stringify(predicates.map(([field, values]) => [field, ...values]));
  const sumOf = async (segment: FoundSegment): Promise<Sums> => {
    const rows = await rowsOf(reading, account, segment);
    const isWantedKey = wantedTuples(rows.keys, keyFields, predicates);
    const { times, keys } = rows;
    return sum(rows, (row) => isWantedKey[keys.codes[row]!]! && times[row]! >= from && times[row]! <= to);
  };
  const sums: Sums[] = [];
  const isWanted = await mayMatch(reading, account, { predicates }, { from, to });
  for await (const segment of view.segments(account, { from, to, isWanted })) {
    const { id, batch, rows, first, last } = segment.meta;
    // A segment id may be reused, but never with the same batch and number of rows.
    const key = `sum ${name} ${id} ${batch} ${rows} ${filter} ${account}`;
    const isWhole = first >= from && last <= to;
    const cached = isWhole ? (cache.get(key)?.opened as Sums | undefined) : undefined;
    const found = cached ?? (await skipCorrupt(onProblem, () => sumOf(segment)));
    if (found) sums.push(found);
    if (found && isWhole && !cached)
      cache.set(key, { batch, opened: found }, { size: found.size * BYTES_PER_ENTRY + BYTES_FOR_KEY + filter.length });
  }
  return sums;
}
