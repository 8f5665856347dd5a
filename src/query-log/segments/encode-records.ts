import type { QueryRecord } from '../../domain/query-record.ts';
import type { Value } from './columns.ts';
import { createDictionary, encodeValue } from './dictionary-encoder.ts';
import { latencyCode } from './latency.ts';
import { encodeRawRows } from './raw-rows.ts';
import { type EncodedColumn, keyFields, restFields, type TableField } from './row.ts';
import { encodeTuples } from './tuples.ts';

// Functions: access by a variable field name is several times slower, and every record passes here.
type ReadField = (record: QueryRecord) => Value | undefined;
const readers: Readonly<Record<TableField, ReadField>> = {
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

/** Encodes records of one account and day as raw rows. */
export function encodeRecords(records: readonly QueryRecord[]): Uint8Array {
  const start = records[0]!.time;
  const { length } = records;
  return encodeRawRows({
    length,
    start,
    offsets: Int32Array.from(records, ({ time }) => time - start),
    latencies: Uint8Array.from(records, (record) => latencyCode(record.latencyMs)),
    names: coded(records, readers.domain),
    keys: encodeTuples(codedBy(records, ofKeys), length),
    rest: encodeTuples(codedBy(records, ofRest), length),
  });
}

const codedBy = (records: readonly QueryRecord[], fields: readonly ReadField[]): readonly EncodedColumn[] =>
  fields.map((read) => coded(records, read));

function coded(records: readonly QueryRecord[], read: ReadField): EncodedColumn {
  const of = createDictionary();
  const codes = new Uint32Array(records.length);
  for (let row = 0; row < records.length; row += 1) codes[row] = encodeValue(of, read(records[row]!) ?? null);
  return { values: of.values, codes };
}
