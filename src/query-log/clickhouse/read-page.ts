import { firstCursor, type LogPage, type LogQuery, pageLinks } from '../../domain/log-query.ts';
import { predicatesOf, restPredicatesOf } from '../query/filter.ts';
import { pageFilter } from '../query/read-segment.ts';
import type { Value } from '../segments/columns.ts';
import { recordOf } from '../segments/row.ts';
import type { ClickhouseClient } from './client.ts';
import { columnNames, columnOf, isMissingIfEmpty, LATENCY } from './columns.ts';
import { allOf, isOneOf, quoted, timeSql } from './sql.ts';

type Row = readonly [time: number, sequence: number, ...values: Value[]];

const SELECT = `SELECT toUnixTimestamp64Milli(time), sequence, ${[...columnNames, LATENCY].join(', ')} FROM queries`;

/** Rows of an account in a time range that have not expired. */
export const visibleRows = (account: string, range: { from: number; to: number }, now: number): readonly string[] => [
  `account = ${quoted(account)}`,
  `time >= ${timeSql(range.from)}`,
  `time <= ${timeSql(range.to)}`,
  `expires > ${Math.floor(now / 1000)}`,
];

export async function readPage(
  { select }: ClickhouseClient,
  account: string,
  query: LogQuery,
  now: number,
): Promise<LogPage> {
  const cursor = query.cursor ?? firstCursor(query.to);
  const upTo = Math.min(query.to, cursor.time);
  const at = timeSql(cursor.time);
  const conditions = [
    ...visibleRows(account, { from: query.from, to: upTo }, now),
    `(time < ${at} OR (time = ${at} AND sequence < ${cursor.sequence}))`,
    ...filterConditions(query),
  ];
  // One more row than shown, to detect a next page.
  const rows =
    query.from > upTo
      ? []
      : await select<Row>(
          `${SELECT} WHERE ${allOf(conditions)} ORDER BY time DESC, sequence DESC LIMIT ${query.limit + 1}`,
        );
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(([time, , ...values]) => recordOf(account, time, values.map(valueAt))),
    pages: pageLinks(query, last && rows.length > shown.length ? { time: last[0], sequence: last[1] } : undefined),
  };
}

const valueAt = (value: Value, column: number): Value => (value === '' && isMissingIfEmpty[column] ? null : value);

function filterConditions(query: LogQuery): readonly string[] {
  const predicates = [...predicatesOf(query), ...restPredicatesOf(query)];
  const { search } = pageFilter(query);
  const text = quoted(search.text);
  return [
    ...predicates.flatMap(([field, values]) => isOneOf(columnOf(field), [...values] as string[])),
    ...(search.text === '' ? [] : [search.isWhole ? `domain = ${text}` : `position(domain, ${text}) > 0`]),
  ];
}
