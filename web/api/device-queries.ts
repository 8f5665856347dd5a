import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import type { QueryLogResponse } from '../../src/api/wire/query-log.ts';
import { request } from './request.ts';

type LogPage = Static<typeof QueryLogResponse>;
export type LoggedQuery = LogPage['items'][number];

const DAY_MS = 86_400_000;
const REFETCH_MS = 5000;

/** Latest query of a device within the last day; null if there is none. */
const lastQueryQuery = (device: string) =>
  queryOptions({
    queryKey: ['devices', device, 'last query'],
    queryFn: async ({ signal }) => {
      // The clock of the browser may be behind that of the service.
      const query = { devices: device, time_from_millis: Date.now() - DAY_MS, time_to_millis: Date.now() + DAY_MS };
      const page = await request<LogPage>('GET', '/oapi/v1/query_log', { query: { ...query, limit: 1 }, signal });
      return page.items[0] ?? null;
    },
    staleTime: 0,
  });

/** Latest query of a device, updated live. */
export function useLastQuery(device: string): LoggedQuery | undefined {
  const [live, setLiveQuery] = useState<LoggedQuery>();
  const [isLive, setLive] = useState(true);
  useEffect(() => {
    const stream = new EventSource(`/api/v1/query_log/live?${new URLSearchParams({ devices: device }).toString()}`);
    stream.addEventListener('query', ({ data }: MessageEvent<string>) => setLiveQuery(JSON.parse(data) as LoggedQuery));
    stream.addEventListener('open', () => setLive(true));
    // The browser reconnects a stream that ended, but not one that was rejected; then the log is polled instead.
    stream.addEventListener('error', () => setLive(stream.readyState !== EventSource.CLOSED));
    return () => stream.close();
  }, [device]);
  const { data: logged } = useQuery({ ...lastQueryQuery(device), refetchInterval: isLive ? false : REFETCH_MS });
  return live ?? logged ?? undefined;
}
