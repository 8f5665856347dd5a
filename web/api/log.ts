import { queryOptions } from '@tanstack/react-query';
import { queryString } from '../../src/client/client.ts';
import type { CategoryType, FilteringActionStatus } from '../../src/client/operations.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { LogItem } from './wire.ts';

/** Filters of the query log; an empty list does not filter. */
export type LogFilters = {
  readonly search?: string | undefined;
  readonly servers: readonly string[];
  readonly devices: readonly string[];
  readonly statuses: readonly string[];
  readonly categories: readonly string[];
  readonly countries: readonly string[];
  readonly companies: readonly string[];
  /** Addresses of network clients. */
  readonly clients: readonly string[];
  /** Ids of the lists that decided. */
  readonly lists: readonly string[];
};

/** Filters come from the address of the page: the service rejects unknown values. */
const parametersOf = ({ search, servers, clients, statuses, categories, lists, ...others }: LogFilters) => ({
  ...others,
  statuses: statuses as FilteringActionStatus[],
  categories: categories as CategoryType[],
  search,
  dns_servers: servers,
  client_addresses: clients,
  filter_ids: lists,
});

export type LogRequest = {
  readonly filters: LogFilters;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

export type LogPart = { readonly items: readonly LogItem[]; readonly next: string | undefined };

/** Reads one page of the log, newest query first, with the cursor of the next page. */
export async function readLog(
  { filters, from, to, limit, cursor }: LogRequest,
  signal?: AbortSignal,
): Promise<LogPart> {
  const query = { ...parametersOf(filters), time_from_millis: from, time_to_millis: to, limit, cursor };
  const { items, pages } = await request('GET /oapi/v1/query_log', { query, signal });
  const current = pages.findIndex((page) => page.current);
  return { items, next: pages[current + 1]?.page_cursor };
}

/** Deletes the log and the statistics of the account. */
export async function clearLog(): Promise<void> {
  await request('DELETE /oapi/v1/query_log');
  await queryClient.invalidateQueries({ queryKey: ['statistics'] });
}

/** URL of the event stream of new queries. */
export const liveLogUrl = (filters: LogFilters): string =>
  `/api/v1/query_log/live${queryString(parametersOf(filters))}`;

type Question = { readonly name: string; readonly type: string; readonly device_id?: string };

/** Decision that the current settings make for a query, with the matching rules. */
export const explanationQuery = (server: string, question: Question) =>
  queryOptions({
    queryKey: ['explain', server, question],
    queryFn: ({ signal }) =>
      request('POST /api/v1/dns_servers/{dns_server_id}/explain', {
        params: { dns_server_id: server },
        body: question,
        signal,
      }),
    staleTime: 0,
  });
