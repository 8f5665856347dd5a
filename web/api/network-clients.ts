import { queryOptions } from '@tanstack/react-query';
import { devicesQuery } from './devices.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import type { NetworkClient, NetworkClientAdoption } from './wire.ts';

export const networkClientsQuery = queryOptions({
  queryKey: ['network clients'],
  queryFn: ({ signal }) => request('GET /api/v1/network_clients', { signal }),
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
  const adopted = await request('POST /api/v1/network_clients/{client_id}/adopt', {
    params: { client_id: id },
    body: adoption,
  });
  await invalidate();
  return adopted;
}

export async function removeClient(id: string): Promise<void> {
  await request('DELETE /api/v1/network_clients/{client_id}', { params: { client_id: id } });
  await invalidate();
}
