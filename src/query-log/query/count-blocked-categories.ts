import { filteringStatuses, isBlocked } from '../../domain/query-record.ts';
import { type BlockedCategoryCounts, byQueries, type StatisticsQuery } from '../../domain/statistics.ts';
import { skipCorrupt } from '../segments/checksum-error.ts';
import type { Value } from '../segments/columns.ts';
import { keyFields, type RestField, restFields } from '../segments/row.ts';
import { type Rows, rowsOf } from './count-clients.ts';
import { type Predicate, predicatesOf } from './filter.ts';
import { mayMatch, type Reading } from './read-page.ts';
import { wantedTuples } from './read-segment.ts';

const CATEGORY = restFields.indexOf('serviceId');
const blocked: Predicate = ['status', new Set<Value>(filteringStatuses.filter(isBlocked))];
const byCategory: Predicate<RestField> = ['source', new Set<Value>(['PARENTAL_FILTERING_CATEGORY'])];

/** Queries that filtering categories have blocked. Rollups have no categories, so all rows of the range are read. */
export async function countBlockedCategories(
  reading: Reading,
  account: string,
  query: StatisticsQuery,
): Promise<readonly BlockedCategoryCounts[]> {
  const { view, onProblem } = reading;
  const predicates = [...predicatesOf(query), blocked];
  const sums = new Map<string, number>();
  const isWanted = await mayMatch(reading, account, { predicates }, query);
  for await (const segment of view.segments(account, { from: query.from, to: query.to, isWanted }))
    await skipCorrupt(onProblem, async () => addRows(sums, await rowsOf(reading, account, segment), predicates, query));
  return Array.from(sums, ([category, count]) => ({ category, blocked: count })).sort(
    byQueries(
      (row) => row.blocked,
      ({ category }) => category,
    ),
  );
}

function addRows(
  sums: Map<string, number>,
  { length, times, keys, rest }: Rows,
  predicates: readonly Predicate[],
  { from, to }: StatisticsQuery,
): void {
  const isWantedRest = wantedTuples(rest, restFields, [byCategory]);
  if (!isWantedRest.includes(true)) return;
  const isWantedKey = wantedTuples(keys, keyFields, predicates);
  const { values, codes } = rest.fields[CATEGORY]!;
  for (let row = 0; row < length; row += 1) {
    const [key, other, time] = [keys.codes[row]!, rest.codes[row]!, times[row]!];
    if (!isWantedRest[other] || !isWantedKey[key] || time < from || time > to) continue;
    const category = values[codes[other]!];
    if (typeof category === 'string') sums.set(category, (sums.get(category) ?? 0) + 1);
  }
}
