import { filteringStatuses, isBlocked } from '../../domain/query-record.ts';
import { byQueries, type ClientCounts, type StatisticsQuery } from '../../domain/statistics.ts';
import type { FoundSegment } from '../backends/log-backend.ts';
import { skipCorrupt } from '../segments/checksum-error.ts';
import type { Value } from '../segments/columns.ts';
import { keyFields, type RowTable, restFields } from '../segments/row.ts';
import { tableWithoutNames } from '../segments/segment.ts';
import { type Predicate, predicatesOf } from './filter.ts';
import { mayMatch, type Reading, rawRows } from './read-page.ts';
import { originOf, wantedTuples } from './read-segment.ts';

const MAX_ROWS = 1000;
const ADDRESS = restFields.indexOf('clientSubnet');
const withoutDevice: Predicate = ['device', new Set<Value>([null])];
const blocked: Predicate = ['status', new Set<Value>(filteringStatuses.filter(isBlocked))];

type Sum = { queries: number; blocked: number; last: number };

/** Queries of clients that are not devices, by address. Rollups have no addresses, so all rows of the range are read. */
export async function countClients(
  reading: Reading,
  account: string,
  query: StatisticsQuery,
): Promise<readonly ClientCounts[]> {
  const { view, onProblem } = reading;
  const filters = predicatesOf(query);
  const predicates = [...filters, withoutDevice];
  const sums = new Map<string, Sum>();
  const isWanted = await mayMatch(reading, account, { predicates: filters }, query);
  for await (const segment of view.segments(account, { from: query.from, to: query.to, isWanted }))
    await skipCorrupt(onProblem, async () => addRows(sums, await rowsOf(reading, account, segment), predicates, query));
  return [...sums]
    .map(([address, sum]) => ({ address, lastActivity: sum.last, queries: sum.queries, blocked: sum.blocked }))
    .sort(
      byQueries(
        ({ queries }) => queries,
        ({ address }) => address,
      ),
    )
    .slice(0, MAX_ROWS);
}

export type Rows = Omit<RowTable, 'names'>;

export async function rowsOf({ view, cache }: Reading, account: string, segment: FoundSegment): Promise<Rows> {
  if (segment.raw !== undefined) return rawRows(cache, account, segment);
  const [parts] = await view.parts([segment.meta], ['keys', 'spots', 'rest']);
  return tableWithoutNames(parts!, originOf(segment.meta));
}

function addRows(
  sums: Map<string, Sum>,
  { length, times, keys, rest }: Rows,
  predicates: readonly Predicate[],
  { from, to }: StatisticsQuery,
): void {
  const { values, codes } = rest.fields[ADDRESS]!;
  if (!values.some((address) => typeof address === 'string')) return;
  const isWanted = wantedTuples(keys, keyFields, predicates);
  if (!isWanted.includes(true)) return;
  const isBlockedKey = wantedTuples(keys, keyFields, [blocked]);
  const found = values.map((): Sum => ({ queries: 0, blocked: 0, last: 0 }));
  for (let row = 0; row < length; row += 1) {
    const [key, time] = [keys.codes[row]!, times[row]!];
    if (!isWanted[key] || time < from || time > to) continue;
    const sum = found[codes[rest.codes[row]!]!]!;
    sum.queries += 1;
    if (isBlockedKey[key]) sum.blocked += 1;
    if (time > sum.last) sum.last = time;
  }
  for (const [index, address] of values.entries()) {
    const counts = found[index]!;
    if (typeof address !== 'string' || counts.queries === 0) continue;
    const sum = sums.get(address);
    if (!sum) sums.set(address, counts);
    else {
      sum.queries += counts.queries;
      sum.blocked += counts.blocked;
      sum.last = Math.max(sum.last, counts.last);
    }
  }
}
