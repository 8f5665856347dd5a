import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { request } from './request.ts';
import { withUsedStrategy } from './upstream-strategy.ts';
import type {
  ForwardRule,
  ForwardRuleInput,
  ForwardRules,
  HostsImportResult,
  LocalNameSettings,
  LocalNameSettingsUpdate,
  LocalRecord,
  LocalRecordInput,
} from './wire.ts';

const RECORDS = '/api/v1/local_records';
const RULES = '/api/v1/forward_rules';
const settingsPath = (server: string): string => `/api/v1/dns_servers/${encodeURIComponent(server)}/local_names`;

export const localRecordsQuery = queryOptions({
  queryKey: ['local records'],
  queryFn: ({ signal }) => request<LocalRecord[]>('GET', RECORDS, { signal }),
});

export const forwardRulesQuery = queryOptions({
  queryKey: ['forward rules'],
  queryFn: ({ signal }) => request<ForwardRules>('GET', RULES, { signal }),
});

export const localNameSettingsQuery = (server: string) =>
  queryOptions({
    queryKey: ['servers', server, 'local names'],
    queryFn: ({ signal }) => request<LocalNameSettings>('GET', settingsPath(server), { signal }),
  });

async function thenInvalidate<T>(pending: Promise<T>, queryKey: readonly string[]): Promise<T> {
  const response = await pending;
  await Promise.all([queryKey, ['explain']].map((key) => queryClient.invalidateQueries({ queryKey: key })));
  return response;
}

/** Creates a record, or replaces the one with this id. */
export const saveRecord = (body: LocalRecordInput, id?: string): Promise<LocalRecord> =>
  thenInvalidate(
    id === undefined
      ? request('POST', RECORDS, { body })
      : request('PUT', `${RECORDS}/${encodeURIComponent(id)}`, { body }),
    localRecordsQuery.queryKey,
  );

export const removeRecord = (id: string): Promise<void> =>
  thenInvalidate(request('DELETE', `${RECORDS}/${encodeURIComponent(id)}`), localRecordsQuery.queryKey);

export const importHosts = (hosts: string, server: string | undefined): Promise<HostsImportResult> =>
  thenInvalidate(
    request('POST', `${RECORDS}/import`, { body: { hosts, ...(server !== undefined && { dns_server_id: server }) } }),
    localRecordsQuery.queryKey,
  );

/** Creates a rule, or replaces the one with this id. */
export const saveForwardRule = (rule: ForwardRuleInput, id?: string): Promise<ForwardRule> => {
  const body = withUsedStrategy(rule);
  return thenInvalidate(
    id === undefined
      ? request('POST', RULES, { body })
      : request('PUT', `${RULES}/${encodeURIComponent(id)}`, { body }),
    forwardRulesQuery.queryKey,
  );
};

export const removeForwardRule = (id: string): Promise<void> =>
  thenInvalidate(request('DELETE', `${RULES}/${encodeURIComponent(id)}`), forwardRulesQuery.queryKey);

export const saveLocalNameSettings = (server: string, body: LocalNameSettingsUpdate): Promise<LocalNameSettings> =>
  thenInvalidate(request('PUT', settingsPath(server), { body }), ['servers', server]);

/** Allows or forbids private addresses for a domain. Reads the settings first: they may have changed since the page was loaded. */
export async function setPrivateAddresses(server: string, domain: string, areAllowed: boolean): Promise<void> {
  const { rebinding_presets: _, ...settings } = await request<LocalNameSettings>('GET', settingsPath(server));
  const others = settings.rebinding_allowed.filter((each) => each !== domain);
  await saveLocalNameSettings(server, { ...settings, rebinding_allowed: areAllowed ? [...others, domain] : others });
}
