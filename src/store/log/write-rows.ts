import type { QueryRecord } from '../../domain/query-record.ts';
import type { Value } from './columns.ts';
import { combined } from './combined.ts';
import { packRows } from './fresh-rows.ts';
import { numbering } from './numbering.ts';
import { type CodedField, keyFields, restFields, type TableField } from './row.ts';

// Functions, because asking a record for a field by its name takes several times as long and every record passes here.
const readers: Readonly<Record<TableField, (record: QueryRecord) => Value | undefined>> = {
  domain: ({ domain }) => domain,
  device: ({ device }) => device,
  dnsServer: ({ dnsServer }) => dnsServer,
  responseCountry: ({ responseCountry }) => responseCountry,
  companyId: ({ companyId }) => companyId,
  category: ({ category }) => category,
  status: ({ status }) => status,
  type: ({ type }) => type,
  rcode: ({ rcode }) => rcode,
  protocol: ({ protocol }) => protocol,
  source: ({ source }) => source,
  filterId: ({ filterId }) => filterId,
  rule: ({ rule }) => rule,
  serviceId: ({ serviceId }) => serviceId,
  clientCountry: ({ clientCountry }) => clientCountry,
  asn: ({ asn }) => asn,
  network: ({ network }) => network,
  dnssec: ({ dnssec }) => dnssec,
  clientSubnet: ({ clientSubnet }) => clientSubnet,
};
const reading = (fields: readonly TableField[]) => fields.map((field) => readers[field]);
const [ofKeys, ofRest] = [reading(keyFields), reading(restFields)];

/** The rows of some records of one account and day, packed. */
export function writeRows(records: readonly QueryRecord[]): Uint8Array {
  const start = records[0]!.time;
  const { length } = records;
  const coded = (read: (record: QueryRecord) => Value | undefined): CodedField => {
    const { values, of } = numbering();
    const codes = new Uint32Array(length);
    for (let row = 0; row < length; row += 1) codes[row] = of(read(records[row]!) ?? null);
    return { values, codes };
  };
  return packRows({
    length,
    start,
    offsets: Int32Array.from(records, ({ time }) => time - start),
    names: coded(readers.domain),
    keys: combined(ofKeys.map(coded), length),
    rest: combined(ofRest.map(coded), length),
  });
}
