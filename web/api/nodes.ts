import { queryOptions } from '@tanstack/react-query';
import type { NewNode } from '../../src/client/operations.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

export type { Node } from '../../src/client/operations.ts';

const REFETCH_MS = 5000;

/** Only the operator may read this. */
export const nodesQuery = queryOptions({
  queryKey: ['nodes'],
  queryFn: ({ signal }) => request('GET /api/v1/nodes', { signal }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : REFETCH_MS),
});

const reload = (): Promise<void> => queryClient.invalidateQueries({ queryKey: nodesQuery.queryKey });

export async function createNode(name: string): Promise<NewNode> {
  const node = await request('POST /api/v1/nodes', { body: { name } });
  await reload();
  return node;
}

export async function revokeNode(id: string): Promise<void> {
  await request('DELETE /api/v1/nodes/{node_id}', { params: { node_id: id } });
  await reload();
}
