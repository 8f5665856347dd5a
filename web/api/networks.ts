import { queryOptions } from '@tanstack/react-query';
import { changeLatest, mergeChanges } from './change-latest.ts';
import { queryClient } from './query-client.ts';
import { exchange, request } from './request.ts';
import { renameServer, updateServerSettings } from './servers.ts';
import type { DnsServer, Networks, NetworksUpdate } from './wire.ts';

export const networksQuery = queryOptions({
  queryKey: ['networks'],
  queryFn: ({ signal }) => request('GET /api/v1/networks', { signal }),
});

/** Saves the networks that were edited since `base`. */
export async function updateNetworks(base: NetworksUpdate, edited: NetworksUpdate): Promise<Networks> {
  try {
    const saved = await changeLatest(
      () => exchange('GET /api/v1/networks'),
      ({ networks }) => mergeChanges<NetworksUpdate>(base, edited, { networks }),
      (body, ifMatch) => request('PUT /api/v1/networks', { body, ifMatch }),
    );
    queryClient.setQueryData(networksQuery.queryKey, saved);
    return saved;
  } catch (error) {
    // Others may have changed the networks.
    await queryClient.invalidateQueries({ queryKey: networksQuery.queryKey });
    throw error;
  }
}

const HOME = 'Home';

/** Assigns all private networks to this DNS server and logs the addresses of clients, so that they can be distinguished. */
export async function protectNetwork(server: DnsServer, privateNetworks: readonly string[]): Promise<Networks> {
  const networks = privateNetworks.map((network) => ({ network, dns_server_id: server.id }));
  const saved = await updateNetworks({ networks: [] }, { networks });
  await updateServerSettings(server.id, { ip_log_enabled: true });
  // The name that a new account gives its first server.
  if (server.name === 'Default') await renameServer(server.id, HOME);
  return saved;
}
