import { queryOptions } from '@tanstack/react-query';
import { problemOf } from './api-error.ts';
import { invalidateProtection } from './protection.ts';
import { queryClient } from './query-client.ts';
import { exchange, request } from './request.ts';
import type { DnsServer, ExplainQuestion, Explanation, ServerSettingsUpdate } from './wire.ts';

/** ETags of the DNS servers that pages show. */
const etags = new Map<string, string>();
const MAX_ATTEMPTS = 5;

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => request('GET /oapi/v1/dns_servers', { signal }),
});

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: ['servers', id],
    queryFn: async ({ signal }) => {
      const params = { dns_server_id: id };
      const { reply, etag } = await exchange('GET /oapi/v1/dns_servers/{dns_server_id}', { params, signal });
      if (etag !== undefined) etags.set(id, etag);
      return reply;
    },
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

/** Saves the update, unless others have changed the server since it was read in a way that `isConflict` reports. */
export async function saveServerSettings(
  id: string,
  body: ServerSettingsUpdate,
  isConflict: (current: DnsServer) => boolean,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const options = { params: { dns_server_id: id }, body, ifMatch: etags.get(id) };
    try {
      return await thenInvalidate(request('PUT /oapi/v1/dns_servers/{dns_server_id}/settings', options));
    } catch (error) {
      if (problemOf(error).kind !== 'changed' || attempt === MAX_ATTEMPTS) throw error;
      if (isConflict(await queryClient.fetchQuery({ ...serverQuery(id), staleTime: 0 }))) throw error;
    }
  }
}

/** Devices of the server move to the default server, so cached devices are stale. */
export async function removeServer(id: string): Promise<void> {
  await request('DELETE /oapi/v1/dns_servers/{dns_server_id}', { params: { dns_server_id: id } });
  await Promise.all([
    // `exact`: the deleted server itself must not be fetched again.
    queryClient.invalidateQueries({ queryKey: serversQuery.queryKey, exact: true }),
    queryClient.invalidateQueries({ queryKey: ['devices'] }),
  ]);
}

/** Possible for a minute after the removal. */
export async function restoreServer(id: string): Promise<void> {
  await thenInvalidate(request('POST /api/v1/dns_servers/{dns_server_id}/restore', { params: { dns_server_id: id } }));
  await queryClient.invalidateQueries({ queryKey: ['devices'] });
}

export const explain = (id: string, question: ExplainQuestion): Promise<Explanation> =>
  request('POST /api/v1/dns_servers/{dns_server_id}/explain', { params: { dns_server_id: id }, body: question });
