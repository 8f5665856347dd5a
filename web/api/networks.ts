import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import { renameServer, updateServerSettings } from './servers.ts';
import type { DnsServer, Networks, NetworksUpdate } from './wire.ts';

export const networksQuery = queryOptions({
  queryKey: ['networks'],
  queryFn: ({ signal }) => request('GET /api/v1/networks', { signal }),
});

export async function updateNetworks(networks: NetworksUpdate['networks']): Promise<Networks> {
  const saved = await request('PUT /api/v1/networks', { body: { networks } });
  queryClient.setQueryData(networksQuery.queryKey, saved);
  return saved;
}

const HOME = 'Home';

/** Assigns all private networks to this DNS server and logs the addresses of clients, so that they can be distinguished. */
export async function protectNetwork(server: DnsServer, privateNetworks: readonly string[]): Promise<Networks> {
  const saved = await updateNetworks(privateNetworks.map((network) => ({ network, dns_server_id: server.id })));
  await updateServerSettings(server.id, { ip_log_enabled: true });
  // The name that a new account gives its first server.
  if (server.name === 'Default') await renameServer(server.id, HOME);
  return saved;
}
