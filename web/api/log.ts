import { queryOptions } from '@tanstack/react-query';
import type { Explanation, LogItem, LogPage } from './log-wire.ts';
import { queryText, request } from './request.ts';

/** Which queries; an empty list is no wish. */
export type LogFilters = {
  readonly search?: string | undefined;
  readonly servers: readonly string[];
  readonly devices: readonly string[];
  readonly statuses: readonly string[];
  readonly categories: readonly string[];
  readonly countries: readonly string[];
  readonly companies: readonly string[];
};

const parametersOf = ({ search, servers, ...lists }: LogFilters) => ({ ...lists, search, dns_servers: servers });

export type LogAsking = {
  readonly filters: LogFilters;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

export type LogPart = { readonly items: readonly LogItem[]; readonly next: string | undefined };

/** A page of the log, the newest query first, and where the next begins. */
export async function readLog(asking: LogAsking, signal?: AbortSignal): Promise<LogPart> {
  const { filters, from, to, limit, cursor } = asking;
  const query = { ...parametersOf(filters), time_from_millis: from, time_to_millis: to, limit, cursor };
  const { items, pages } = await request<LogPage>('GET', '/oapi/v1/query_log', { query, signal });
  const current = pages.findIndex((page) => page.current);
  return { items, next: pages[current + 1]?.page_cursor };
}

/** Where queries are told as they happen. */
export const liveLogUrl = (filters: LogFilters): string => `/api/v1/query_log/live${queryText(parametersOf(filters))}`;

type Question = { readonly name: string; readonly type: string; readonly device_id?: string };

/** What the settings of this moment make of a question, and why. */
export const explanationQuery = (server: string, question: Question) =>
  queryOptions({
    queryKey: ['explain', server, question],
    queryFn: ({ signal }) =>
      request<Explanation>('POST', `/api/v1/dns_servers/${encodeURIComponent(server)}/explain`, {
        body: question,
        signal,
      }),
    staleTime: 0,
  });
