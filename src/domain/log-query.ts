import type { CategoryType, FilteringActionStatus, QueryRecord } from './query-record.ts';

/** Which rows of the log. Both ends of time belong to it; an empty list of wanted values is no wish. */
export type LogQuery = {
  readonly from: number;
  readonly to: number;
  readonly devices?: readonly string[];
  readonly dnsServers?: readonly string[];
  readonly countries?: readonly string[];
  /** Ids. */
  readonly companies?: readonly string[];
  readonly statuses?: readonly FilteringActionStatus[];
  readonly categories?: readonly CategoryType[];
  /** A part of the domain, letter by letter: nothing in it has a meaning of its own. */
  readonly search?: string;
  readonly limit: number;
  readonly cursor?: LogCursor;
};

/** Whether a record is what is asked for, whenever it was. */
export function matchesLogQuery(record: QueryRecord, query: Omit<LogQuery, 'from' | 'to' | 'limit'>): boolean {
  const isOneOf = (wanted: readonly string[] | undefined, value: string | undefined): boolean =>
    wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value));
  return (
    isOneOf(query.devices, record.device) &&
    isOneOf(query.dnsServers, record.dnsServer) &&
    isOneOf(query.countries, record.responseCountry) &&
    isOneOf(query.companies, record.companyId) &&
    isOneOf(query.statuses, record.status) &&
    isOneOf(query.categories, record.category) &&
    record.domain.includes(query.search ?? '')
  );
}

/** A page begins after this row. A place in the log, not a count of rows: rows that arrive do not move it. */
export type LogCursor = { readonly time: number; readonly sequence: number; readonly page: number };

export type PageLink = { readonly number: number; readonly cursor: string; readonly isCurrent: boolean };
export type LogPage = { readonly items: readonly QueryRecord[]; readonly pages: readonly PageLink[] };

// Before every row of its millisecond: where the first page of a range begins.
const BEFORE_ALL = Number.MAX_SAFE_INTEGER;

export const firstCursor = (to: number): LogCursor => ({ time: to, sequence: BEFORE_ALL, page: 1 });

/** The four numbers that clients have seen in cursors: time, page, page size, and our place within the millisecond. */
export const cursorText = ({ time, sequence, page }: LogCursor, limit: number): string =>
  `${time}:${page}:${limit}:${sequence}`;

export function parseLogCursor(text: string): LogCursor | undefined {
  const parts = /^(-?\d{1,16}):(\d{1,9}):\d{1,9}:(\d{1,16})$/.exec(text);
  if (!parts) return undefined;
  const [time, page, sequence] = [parts[1], parts[2], parts[3]].map(Number) as [number, number, number];
  const isPlace = Number.isSafeInteger(time) && Number.isSafeInteger(sequence) && page >= 1;
  return isPlace ? { time, page, sequence } : undefined;
}

/** The way back to the first page, the page shown and, if there is one, the next. */
export function pageLinks(query: LogQuery, next: Omit<LogCursor, 'page'> | undefined): readonly PageLink[] {
  const current = query.cursor ?? firstCursor(query.to);
  const link = (cursor: LogCursor): PageLink => ({
    number: cursor.page,
    cursor: cursorText(cursor, query.limit),
    isCurrent: cursor === current,
  });
  return [
    ...(current.page > 1 ? [link(firstCursor(query.to))] : []),
    link(current),
    ...(next ? [link({ ...next, page: current.page + 1 })] : []),
  ];
}
