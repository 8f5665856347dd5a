import { queryOptions } from '@tanstack/react-query';
import { devicesQuery } from './devices.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { NetworkClient, NetworkClientAdoption, NetworkClients } from './wire.ts';

const PATH = '/api/v1/network_clients';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export const networkClientsQuery = queryOptions({
  queryKey: ['network clients'],
  queryFn: ({ signal }) => request<NetworkClients>('GET', PATH, { signal }),
});

const invalidate = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: networkClientsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: ['servers'] }),
  ]);
};

/** Makes the client a device, which is recognised by its MAC address or address. */
export async function adoptClient(id: string, adoption: NetworkClientAdoption): Promise<NetworkClient> {
  const adopted = await request<NetworkClient>('POST', `${pathOf(id)}/adopt`, { body: adoption });
  await invalidate();
  return adopted;
}

export async function removeClient(id: string): Promise<void> {
  await request('DELETE', pathOf(id));
  await invalidate();
}
