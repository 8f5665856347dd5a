import { filteringStatuses, isBlocked } from '../../domain/query-record.ts';
import { bucketsOf, byQueries, type ListCounts, type StatisticsQuery, wholeRange } from '../../domain/statistics.ts';
import type { Value } from '../segments/columns.ts';
import { restFields } from '../segments/row.ts';
import type { Rows } from './count-clients.ts';
import { type Predicate, predicatesOf } from './filter.ts';
import type { Reading } from './read-page.ts';
import { sumRows } from './sum-rows.ts';

const LIST = restFields.indexOf('filterId');
const blocked: Predicate = ['status', new Set<Value>(filteringStatuses.filter(isBlocked))];

/** Queries that each list has blocked, in whole buckets. */
export async function countLists(
  reading: Reading,
  account: string,
  query: StatisticsQuery,
  now: number,
): Promise<readonly ListCounts[]> {
  const predicates = [...predicatesOf(query), blocked];
  const range = wholeRange(bucketsOf(query, now));
  const total = new Map<string, number>();
  for (const counts of await sumRows(reading, account, range, { name: 'lists', predicates, sum: countByList }))
    for (const [list, count] of counts) total.set(list, (total.get(list) ?? 0) + count);
  return Array.from(total, ([filterId, count]) => ({ filterId, blocked: count })).sort(
    byQueries(
      (row) => row.blocked,
      ({ filterId }) => filterId,
    ),
  );
}

function countByList({ length, rest }: Rows, isWanted: (row: number) => boolean): ReadonlyMap<string, number> {
  const { values, codes } = rest.fields[LIST]!;
  const counts = new Uint32Array(values.length);
  for (let row = 0; row < length; row += 1) if (isWanted(row)) counts[codes[rest.codes[row]!]!]! += 1;
  const byList = new Map<string, number>();
  for (const [code, list] of values.entries())
    if (typeof list === 'string' && counts[code]! > 0) byList.set(list, counts[code]!);
  return byList;
}
