import Type from 'typebox';
import { filteringSources, filteringStatuses, queryCategories } from '../../domain/query-record.ts';
import { enumeration, int32, int64, object } from './named.ts';
import { Page } from './pages.ts';

export const CategoryType = enumeration('CategoryType', queryCategories);
export const FilteringActionStatus = enumeration('FilteringActionStatus', filteringStatuses);
const FilteringActionSource = enumeration('FilteringActionSource', filteringSources);

// Values with _TCP and _UDP are from older API versions. They are not sent, but remain part of the schema.
const DnsProtoType = enumeration('DnsProtoType', [
  'DOH',
  'DOQ',
  'DOT',
  'DNSCRYPT',
  'DNSCRYPT_TCP',
  'DNSCRYPT_UDP',
  'DNS',
  'PLAIN_TCP',
  'PLAIN_UDP',
]);

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

const FilteringInfo = object('FilteringInfo', 'Filtering result and the rule that decided.', {
  blocked_service_id: text,
  filter_id: text,
  filter_rule: text,
  filtering_category_id: text,
  filtering_status: Type.Optional(FilteringActionStatus),
  filtering_type: Type.Optional(FilteringActionSource),
});

export const QueryLogItem = object('QueryLogItem', 'One query.', {
  asn: Type.Optional(int32()),
  category_type: CategoryType,
  client_address: Type.Optional(
    Type.String({
      description:
        'The address of a client in a private network, or the network (/24, /56) of another. Only where the DNS server logs client addresses.',
    }),
  ),
  client_country: text,
  company_id: Type.String(),
  device_id: Type.String({ description: 'Empty if the query was not sent by a device.' }),
  dns_proto_type: Type.Optional(DnsProtoType),
  dns_request_type: Type.Optional(Type.String({ description: 'For example `TypeA`.' })),
  dns_response_type: Type.Optional(DnsProtoResponseType),
  dns_server_id: Type.String(),
  dnssec: Type.Boolean(),
  domain: Type.String(),
  filtering_info: FilteringInfo,
  latency_millis: Type.Optional(
    int32({
      description:
        'Milliseconds from receipt to answer; 0 for most answers from the cache. Rounded to two significant digits above 100. Missing in entries of earlier versions.',
    }),
  ),
  network: text,
  response_country: text,
  time_iso: Type.String({ format: 'date-time' }),
  time_millis: int64(),
});

export const QueryLogResponse = object('QueryLogResponse', 'A page of the query log, newest first.', {
  items: Type.Array(QueryLogItem),
  pages: Type.Array(Page),
});
