import { queryOptions } from '@tanstack/react-query';
import { changeLatest, mergeChanges } from './change-latest.ts';
import { queryClient } from './query-client.ts';
import { exchange, request } from './request.ts';
import { withUsedStrategy } from './upstream-strategy.ts';
import type {
  ForwardRule,
  ForwardRuleInput,
  HostsImportResult,
  LocalNameSettings,
  LocalNameSettingsUpdate,
  LocalRecord,
  LocalRecordInput,
} from './wire.ts';

export const localRecordsQuery = queryOptions({
  queryKey: ['local records'],
  queryFn: ({ signal }) => request('GET /api/v1/local_records', { signal }),
});

export const forwardRulesQuery = queryOptions({
  queryKey: ['forward rules'],
  queryFn: ({ signal }) => request('GET /api/v1/forward_rules', { signal }),
});

export const localNameSettingsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'local names'],
    queryFn: ({ signal }) =>
      request('GET /api/v1/dns_servers/{dns_server_id}/local_names', { params: { dns_server_id: server }, signal }),
  });

async function thenInvalidate<T>(pending: Promise<T>, queryKey: readonly string[]): Promise<T> {
  try {
    return await pending;
  } finally {
    // Also after an error: others may have changed the resource.
    await Promise.all([queryKey, ['explain']].map((key) => queryClient.invalidateQueries({ queryKey: key })));
  }
}

/** Creates a record, or replaces the one with this id. */
export const saveRecord = (body: LocalRecordInput, id?: string): Promise<LocalRecord> =>
  thenInvalidate(
    id === undefined
      ? request('POST /api/v1/local_records', { body })
      : request('PUT /api/v1/local_records/{local_record_id}', { params: { local_record_id: id }, body }),
    localRecordsQuery.queryKey,
  );

export const removeRecord = (id: string): Promise<void> =>
  thenInvalidate(
    request('DELETE /api/v1/local_records/{local_record_id}', { params: { local_record_id: id } }),
    localRecordsQuery.queryKey,
  );

export const importHosts = (hosts: string, server: string | undefined): Promise<HostsImportResult> =>
  thenInvalidate(
    request('POST /api/v1/local_records/import', {
      body: { hosts, ...(server !== undefined && { dns_server_id: server }) },
    }),
    localRecordsQuery.queryKey,
  );

/** Creates a rule, or replaces the one with this id. */
export const saveForwardRule = (rule: ForwardRuleInput, id?: string): Promise<ForwardRule> => {
  const body = withUsedStrategy(rule);
  return thenInvalidate(
    id === undefined
      ? request('POST /api/v1/forward_rules', { body })
      : request('PUT /api/v1/forward_rules/{forward_rule_id}', { params: { forward_rule_id: id }, body }),
    forwardRulesQuery.queryKey,
  );
};

export const removeForwardRule = (id: string): Promise<void> =>
  thenInvalidate(
    request('DELETE /api/v1/forward_rules/{forward_rule_id}', { params: { forward_rule_id: id } }),
    forwardRulesQuery.queryKey,
  );

function changeLocalNames(
  server: string,
  change: (current: LocalNameSettingsUpdate) => LocalNameSettingsUpdate,
): Promise<LocalNameSettings> {
  const params = { dns_server_id: server };
  return thenInvalidate(
    changeLatest(
      () => exchange('GET /api/v1/dns_servers/{dns_server_id}/local_names', { params }),
      (reply) => {
        const { rebinding_presets: _, ...current } = reply;
        return change(current);
      },
      (body, ifMatch) => request('PUT /api/v1/dns_servers/{dns_server_id}/local_names', { params, body, ifMatch }),
    ),
    ['servers', server],
  );
}

/** Saves the settings that were edited since `base`. */
export const saveLocalNameSettings = (
  server: string,
  base: LocalNameSettingsUpdate,
  edited: LocalNameSettingsUpdate,
): Promise<LocalNameSettings> => changeLocalNames(server, (current) => mergeChanges(base, edited, current));

/** Allows or forbids private addresses for a domain. */
export async function setPrivateAddresses(server: string, domain: string, areAllowed: boolean): Promise<void> {
  await changeLocalNames(server, (current) => {
    const others = current.rebinding_allowed.filter((each) => each !== domain);
    return { ...current, rebinding_allowed: areAllowed ? [...others, domain] : others };
  });
}
