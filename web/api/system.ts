import { queryOptions } from '@tanstack/react-query';
import type { Backup, OperatorSetting, SystemList, UpstreamTestResult } from '../../src/client/operations.ts';
import { listHealthQuery } from './catalogue.ts';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';

export type { DoctorFinding, OperatorSetting, System } from '../../src/client/operations.ts';

const REFETCH_MS = 5000;

/** Only the operator may read this; others get 403. */
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => request('GET /api/v1/system', { signal }),
  refetchInterval: ({ state }) => (state.status === 'error' ? false : REFETCH_MS),
});

export async function backUp(): Promise<Backup> {
  const backup = await request('POST /api/v1/system/backup');
  await queryClient.invalidateQueries({ queryKey: systemQuery.queryKey });
  return backup;
}

export async function acceptFilterList(id: string): Promise<SystemList> {
  const list = await request('POST /api/v1/system/lists/{filter_id}/accept', { params: { filter_id: id } });
  await queryClient.invalidateQueries({ queryKey: listHealthQuery.queryKey });
  return list;
}

export const testUpstream = (upstream: string): Promise<UpstreamTestResult> =>
  request('POST /api/v1/system/upstreams/test', { body: { upstream } });

export const runDoctor = () => request('GET /api/v1/system/doctor');

export async function clearCache(): Promise<void> {
  await request('DELETE /api/v1/system/cache');
  await queryClient.invalidateQueries({ queryKey: systemQuery.queryKey });
}

export async function reloadCertificates(): Promise<void> {
  await request('POST /api/v1/system/certificates/reload');
  await queryClient.invalidateQueries({ queryKey: systemQuery.queryKey });
}

/** Opened by the browser, which saves the file. */
export const BACKUP_URL = '/api/v1/system/backup';

export const settingsQuery = queryOptions({
  queryKey: ['operator settings'],
  queryFn: ({ signal }) => request('GET /api/v1/system/settings', { signal }),
});

async function thenRefresh(pending: Promise<OperatorSetting>): Promise<OperatorSetting> {
  const setting = await pending;
  await Promise.all([settingsQuery, systemQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
  return setting;
}

export const changeSetting = (name: string, values: readonly string[]): Promise<OperatorSetting> =>
  thenRefresh(
    request('PUT /api/v1/system/settings/{setting_name}', {
      params: { setting_name: name },
      body: { values: [...values] },
    }),
  );

export const resetSetting = (name: string): Promise<OperatorSetting> =>
  thenRefresh(request('DELETE /api/v1/system/settings/{setting_name}', { params: { setting_name: name } }));
