import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { QueryLogItem } from '../../src/client/operations.ts';
import { request } from './request.ts';

export type LoggedQuery = QueryLogItem;

const DAY_MS = 86_400_000;
const REFETCH_MS = 5000;

export type QueriesOf = { readonly devices: string } | { readonly dns_servers: string };

/** Latest query within the last day, or null. */
export const lastQueryQuery = (of: QueriesOf) =>
  queryOptions({
    queryKey: ['last query', of],
    queryFn: async ({ signal }) => {
      // The clock of the browser may be behind that of the service.
      const query = { ...of, time_from_millis: Date.now() - DAY_MS, time_to_millis: Date.now() + DAY_MS };
      const page = await request('GET /oapi/v1/query_log', { query: { ...query, limit: 1 }, signal });
      return page.items[0] ?? null;
    },
    staleTime: 0,
  });

/** Latest query of a device or DNS server, updated live. */
export function useLastQuery(of: QueriesOf): LoggedQuery | undefined {
  const [live, setLiveQuery] = useState<LoggedQuery>();
  const [isLive, setLive] = useState(true);
  const filter = new URLSearchParams(of).toString();
  useEffect(() => {
    const stream = new EventSource(`/api/v1/query_log/live?${filter}`);
    stream.addEventListener('query', ({ data }: MessageEvent<string>) => setLiveQuery(JSON.parse(data) as LoggedQuery));
    stream.addEventListener('open', () => setLive(true));
    // The browser reconnects a stream that ended, but not one that was rejected; then the log is polled instead.
    stream.addEventListener('error', () => setLive(stream.readyState !== EventSource.CLOSED));
    return () => stream.close();
  }, [filter]);
  const { data: logged } = useQuery({ ...lastQueryQuery(of), refetchInterval: isLive ? false : REFETCH_MS });
  return live ?? logged ?? undefined;
}

/** The query for this domain, once the log has it; undefined after the last attempt. */
export async function findQuery(
  domain: string,
  attempts: number,
  intervalMs: number,
): Promise<LoggedQuery | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const query = {
      search: domain,
      time_from_millis: Date.now() - DAY_MS,
      time_to_millis: Date.now() + DAY_MS,
      limit: 1,
    };
    const { items } = await request('GET /oapi/v1/query_log', { query });
    if (items[0]) return items[0];
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
  return undefined;
}
