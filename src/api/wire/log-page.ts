import type { Static } from 'typebox';
import { recordTypeName, responseCodeName } from '../../domain/dns-codes.ts';
import type { LogPage } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { isoTimes } from '../../kit/iso-time.ts';
import { pagesToWire } from './pages-to-wire.ts';
import type { QueryLogItem, QueryLogResponse } from './query-log.ts';

// Imports only the types of schemas, because this module also runs in the ingest thread.

/** Unknown values are undefined, which JSON omits, because objects of one shape are serialised twice as fast. */
type Unwritten<T> = T extends object
  ? { [Name in keyof T]: Unwritten<T[Name]> | (object extends Pick<T, Name> ? undefined : never) }
  : T;

export function logPageText({ items, pages }: LogPage): string {
  const page: Unwritten<Static<typeof QueryLogResponse>> = {
    items: items.map(recordToWire),
    pages: pagesToWire(pages),
  };
  return JSON.stringify(page);
}

const CATEGORY: QueryRecord['source'] = 'PARENTAL_FILTERING_CATEGORY';

export const recordToWire = (record: QueryRecord): Unwritten<Static<typeof QueryLogItem>> => ({
  asn: record.asn,
  category_type: record.category,
  client_address: record.clientSubnet,
  client_country: record.clientCountry,
  company_id: record.companyId,
  device_id: record.device ?? '',
  dns_proto_type: record.protocol,
  dns_request_type: recordTypeName(record.type),
  dns_response_type: responseCodeName(record.rcode),
  dns_server_id: record.dnsServer,
  dnssec: record.dnssec,
  domain: record.domain,
  filtering_info: {
    blocked_service_id: record.source === CATEGORY ? undefined : record.serviceId,
    filter_id: record.filterId,
    filter_rule: record.rule,
    filtering_category_id: record.source === CATEGORY ? record.serviceId : undefined,
    filtering_status: record.status,
    filtering_type: record.source,
  },
  latency_millis: record.latencyMs,
  network: record.network,
  response_country: record.responseCountry,
  // With an offset instead of Z, as in the published examples: some clients accept nothing else.
  time_iso: `${isoTime(record.time)}+00:00`,
  time_millis: record.time,
});

const isoTime = isoTimes();
