import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import type { QueryLogResponse } from '../../src/api/wire/query-log.ts';
import { request } from './request.ts';

type LogPage = Static<typeof QueryLogResponse>;
export type LoggedQuery = LogPage['items'][number];

const DAY_MS = 86_400_000;
const LOOK_AGAIN_MS = 5000;

/** What a device asked last, within a day; null if it asked nothing. */
const lastQueryQuery = (device: string) =>
  queryOptions({
    queryKey: ['devices', device, 'last query'],
    queryFn: async ({ signal }) => {
      // Clocks of browsers may be slow.
      const query = { devices: device, time_from_millis: Date.now() - DAY_MS, time_to_millis: Date.now() + DAY_MS };
      const page = await request<LogPage>('GET', '/oapi/v1/query_log', { query: { ...query, limit: 1 }, signal });
      return page.items[0] ?? null;
    },
    staleTime: 0,
  });

/** The newest query of a device, as soon as it comes. */
export function useLastQuery(device: string): LoggedQuery | undefined {
  const [told, setTold] = useState<LoggedQuery>();
  const [isLive, setLive] = useState(true);
  useEffect(() => {
    const stream = new EventSource(`/api/v1/query_log/live?${new URLSearchParams({ devices: device }).toString()}`);
    stream.addEventListener('query', ({ data }: MessageEvent<string>) => setTold(JSON.parse(data) as LoggedQuery));
    stream.addEventListener('open', () => setLive(true));
    // A stream that ends is opened again by the browser; one that was refused is not, and the log is read instead.
    stream.addEventListener('error', () => setLive(stream.readyState !== EventSource.CLOSED));
    return () => stream.close();
  }, [device]);
  const { data: known } = useQuery({ ...lastQueryQuery(device), refetchInterval: isLive ? false : LOOK_AGAIN_MS });
  return told ?? known ?? undefined;
}
