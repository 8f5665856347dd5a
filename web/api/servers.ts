import { queryOptions } from '@tanstack/react-query';
import { invalidateProtection } from './protection.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { DnsServer, ExplainQuestion, Explanation, ServerSettingsUpdate } from './wire.ts';

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => request('GET /oapi/v1/dns_servers', { signal }),
});

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: ['servers', id],
    queryFn: ({ signal }) =>
      request('GET /oapi/v1/dns_servers/{dns_server_id}', { params: { dns_server_id: id }, signal }),
    placeholderData: () => queryClient.getQueryData(serversQuery.queryKey)?.find((server) => server.id === id),
  });

async function thenInvalidate<T>(pending: Promise<T>): Promise<T> {
  const response = await pending;
  await Promise.all([queryClient.invalidateQueries({ queryKey: serversQuery.queryKey }), invalidateProtection()]);
  return response;
}

export const createServer = (name: string): Promise<DnsServer> =>
  thenInvalidate(request('POST /oapi/v1/dns_servers', { body: { name } }));

export const renameServer = (id: string, name: string): Promise<void> =>
  thenInvalidate(
    request('PUT /oapi/v1/dns_servers/{dns_server_id}', { params: { dns_server_id: id }, body: { name } }),
  );

export const updateServerSettings = (id: string, update: ServerSettingsUpdate): Promise<void> =>
  thenInvalidate(
    request('PUT /oapi/v1/dns_servers/{dns_server_id}/settings', { params: { dns_server_id: id }, body: update }),
  );

/** Devices of the server move to the default server, so cached devices are stale. */
export async function removeServer(id: string): Promise<void> {
  await request('DELETE /oapi/v1/dns_servers/{dns_server_id}', { params: { dns_server_id: id } });
  await Promise.all([
    // `exact`: the deleted server itself must not be fetched again.
    queryClient.invalidateQueries({ queryKey: serversQuery.queryKey, exact: true }),
    queryClient.invalidateQueries({ queryKey: ['devices'] }),
  ]);
}

export const explain = (id: string, question: ExplainQuestion): Promise<Explanation> =>
  request('POST /api/v1/dns_servers/{dns_server_id}/explain', { params: { dns_server_id: id }, body: question });
