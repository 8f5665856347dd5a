import type { CategoryType, FilteringActionStatus, QueryRecord } from './query-record.ts';

/** Filter of log rows. Both ends of the time range are included; an empty list matches all values. */
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
  /** Addresses or networks of clients, as stored in the log. */
  readonly clientAddresses?: readonly string[];
  /** Ids of the lists that decided. */
  readonly lists?: readonly string[];
  /** Literal substring of the domain; in double quotes, the whole domain. */
  readonly search?: string;
  readonly limit: number;
  readonly cursor?: LogCursor;
};

/** Whether a record matches the filter, ignoring the time range. */
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
    isOneOf(query.clientAddresses, record.clientSubnet) &&
    isOneOf(query.lists, record.filterId) &&
    domainSearch(query.search).matches(record.domain)
  );
}

export type DomainSearch = {
  /** Every domain that matches contains it. Empty for no search. */
  readonly text: string;
  readonly isWhole: boolean;
  readonly matches: (domain: string) => boolean;
};

export function domainSearch(search = ''): DomainSearch {
  // ASCII only: other letters have no case in DNS.
  const text = search.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const quoted = /^"(.+)"$/.exec(text)?.[1];
  return quoted === undefined
    ? { text, isWhole: false, matches: (domain) => domain.includes(text) }
    : { text: quoted, isWhole: true, matches: (domain) => domain === quoted };
}

/** The page starts after this row. New rows do not shift it. */
export type LogCursor = { readonly time: number; readonly sequence: number; readonly page: number };

export type PageLink = { readonly number: number; readonly cursor: string; readonly isCurrent: boolean };
export type LogPage = { readonly items: readonly QueryRecord[]; readonly pages: readonly PageLink[] };

// Sorts before every row of its millisecond: start of the first page.
const BEFORE_ALL = Number.MAX_SAFE_INTEGER;

export const firstCursor = (to: number): LogCursor => ({ time: to, sequence: BEFORE_ALL, page: 1 });

/** Cursor format of the published API: time, page, page size, and the sequence within the millisecond. */
export const cursorText = ({ time, sequence, page }: LogCursor, limit: number): string =>
  `${time}:${page}:${limit}:${sequence}`;

export function parseLogCursor(text: string): LogCursor | undefined {
  const parts = /^(-?\d{1,16}):(\d{1,9}):\d{1,9}:(\d{1,16})$/.exec(text);
  if (!parts) return undefined;
  const [time, page, sequence] = [parts[1], parts[2], parts[3]].map(Number) as [number, number, number];
  const isValid = Number.isSafeInteger(time) && Number.isSafeInteger(sequence) && page >= 1;
  return isValid ? { time, page, sequence } : undefined;
}

/** Links to the first, current and next page. */
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
