import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { DnsServer, ExplainQuestion, Explanation, ServerSettingsUpdate } from './wire.ts';

const pathOf = (id: string): string => `/oapi/v1/dns_servers/${encodeURIComponent(id)}`;

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => request<DnsServer[]>('GET', '/oapi/v1/dns_servers', { signal }),
});

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: ['servers', id],
    queryFn: ({ signal }) => request<DnsServer>('GET', pathOf(id), { signal }),
    placeholderData: () => queryClient.getQueryData(serversQuery.queryKey)?.find((server) => server.id === id),
  });

async function andShow<T>(asked: Promise<T>): Promise<T> {
  const answer = await asked;
  await queryClient.invalidateQueries({ queryKey: serversQuery.queryKey });
  return answer;
}

export const createServer = (name: string): Promise<DnsServer> =>
  andShow(request('POST', '/oapi/v1/dns_servers', { body: { name } }));

export const renameServer = (id: string, name: string): Promise<void> =>
  andShow(request('PUT', pathOf(id), { body: { name } }));

export const updateServerSettings = (id: string, update: ServerSettingsUpdate): Promise<void> =>
  andShow(request('PUT', `${pathOf(id)}/settings`, { body: update }));

/** Its devices move to the default server, so what is known of them is old. */
export async function removeServer(id: string): Promise<void> {
  await request('DELETE', pathOf(id));
  await Promise.all([
    // Not what is known of the server itself: it would be asked for, and is no more.
    queryClient.invalidateQueries({ queryKey: serversQuery.queryKey, exact: true }),
    queryClient.invalidateQueries({ queryKey: ['devices'] }),
  ]);
}

export const explain = (id: string, question: ExplainQuestion): Promise<Explanation> =>
  request('POST', `/api/v1/dns_servers/${encodeURIComponent(id)}/explain`, { body: question });
