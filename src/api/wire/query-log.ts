import Type, { type Static } from 'typebox';
import { recordTypeName, responseCodeName } from '../../domain/dns-codes.ts';
import type { LogPage } from '../../domain/log-query.ts';
import { filteringSources, filteringStatuses, type QueryRecord, queryCategories } from '../../domain/query-record.ts';
import { enumeration, int32, int64, object } from './named.ts';
import { Page, pagesToWire } from './pages.ts';

export const CategoryType = enumeration('CategoryType', queryCategories);
export const FilteringActionStatus = enumeration('FilteringActionStatus', filteringStatuses);
const FilteringActionSource = enumeration('FilteringActionSource', filteringSources);

// The values with _TCP and _UDP are of older versions; we never send them, clients may still know them.
const secureProtocols = ['DOH', 'DOQ', 'DOT', 'DNSCRYPT', 'DNSCRYPT_TCP', 'DNSCRYPT_UDP'] as const;
const regularProtocols = ['DNS', 'PLAIN_TCP', 'PLAIN_UDP'] as const;
const DnsProtoType = enumeration('DnsProtoType', [...secureProtocols, ...regularProtocols]);

/** The two halves of the one above, for programs made from a document that has them. */
export const SecureDnsProtoType = { type: 'string', enum: secureProtocols };
export const RegularDnsProtoType = { type: 'string', enum: regularProtocols };

const DnsProtoResponseType = enumeration('DnsProtoResponseType', [
  'RcodeSuccess',
  'RcodeFormatError',
  'RcodeServerFailure',
  'RcodeNameError',
  'RcodeNotImplemented',
  'RcodeRefused',
  'RcodeYXDomain',
  'RcodeYXRrset',
  'RcodeNXRrset',
  'RcodeNotAuth',
  'RcodeNotZone',
  'RcodeBadSig',
  'RcodeBadVers',
  'RcodeBadKey',
  'RcodeBadTime',
  'RcodeBadMode',
  'RcodeBadName',
  'RcodeBadAlg',
  'RcodeBadTrunc',
  'RcodeBadCookie',
]);

const text = Type.Optional(Type.String());

const FilteringInfo = object('FilteringInfo', 'What was done with a query, and by what.', {
  blocked_service_id: text,
  filter_id: text,
  filter_rule: text,
  filtering_status: Type.Optional(FilteringActionStatus),
  filtering_type: Type.Optional(FilteringActionSource),
});

const QueryLogItem = object('QueryLogItem', 'One query.', {
  asn: Type.Optional(int32()),
  category_type: CategoryType,
  client_country: text,
  company_id: Type.String(),
  device_id: text,
  dns_proto_type: Type.Optional(DnsProtoType),
  dns_request_type: Type.Optional(Type.String({ description: 'As `TypeA`.' })),
  dns_response_type: Type.Optional(DnsProtoResponseType),
  dns_server_id: text,
  dnssec: Type.Boolean(),
  domain: Type.String(),
  filtering_info: FilteringInfo,
  network: text,
  response_country: text,
  time_iso: Type.String({ format: 'date-time' }),
  time_millis: int64(),
});

export const QueryLogResponse = object('QueryLogResponse', 'A page of the log, the newest query first.', {
  items: Type.Array(QueryLogItem),
  pages: Type.Array(Page),
});

export const logPageToWire = ({ items, pages }: LogPage): Static<typeof QueryLogResponse> => ({
  items: items.map(recordToWire),
  pages: pagesToWire(pages),
});

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
