import type { Static } from 'typebox';
import { recordTypeName, responseCodeName } from '../../domain/dns-codes.ts';
import type { LogPage } from '../../domain/log-query.ts';
import type { QueryRecord } from '../../domain/query-record.ts';
import { pagesToWire } from './pages-to-wire.ts';
import type { FilteringInfo, QueryLogItem, QueryLogResponse } from './query-log.ts';

// Of schemas only types: pages are written by the thread that reads them, and that needs no others.

/** The text of an answer. */
export function logPageText({ items, pages }: LogPage): string {
  const page: Static<typeof QueryLogResponse> = { items: items.map(recordToWire), pages: pagesToWire(pages) };
  return JSON.stringify(page);
}

export const recordToWire = (record: QueryRecord): Static<typeof QueryLogItem> => ({
  ...(record.asn !== undefined && { asn: record.asn }),
  category_type: record.category,
  ...(record.clientCountry !== undefined && { client_country: record.clientCountry }),
  company_id: record.companyId,
  ...(record.device !== undefined && { device_id: record.device }),
  dns_proto_type: record.protocol,
  dns_request_type: recordTypeName(record.type),
  dns_response_type: responseCodeName(record.rcode),
  dns_server_id: record.dnsServer,
  dnssec: record.dnssec,
  domain: record.domain,
  filtering_info: filteringToWire(record),
  ...(record.network !== undefined && { network: record.network }),
  ...(record.responseCountry !== undefined && { response_country: record.responseCountry }),
  // With an offset in place of Z: so the published examples have it, and some clients read nothing else.
  time_iso: new Date(record.time).toISOString().replace('Z', '+00:00'),
  time_millis: record.time,
});

const filteringToWire = ({ status, source, filterId, rule, serviceId }: QueryRecord): Static<typeof FilteringInfo> => ({
  ...(serviceId !== undefined && { blocked_service_id: serviceId }),
  ...(filterId !== undefined && { filter_id: filterId }),
  ...(rule !== undefined && { filter_rule: rule }),
  filtering_status: status,
  ...(source !== undefined && { filtering_type: source }),
});
