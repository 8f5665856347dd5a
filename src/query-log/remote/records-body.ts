import { gunzipSync } from 'node:zlib';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import {
  filteringSources,
  filteringStatuses,
  type QueryRecord,
  queryCategories,
  queryProtocols,
} from '../../domain/query-record.ts';

/** The id of a batch of records. */
export const BATCH_HEADER = 'weir-batch';

/** Maximum size of a decompressed batch, against decompression bombs. */
const MAX_BYTES = 64 * 2 ** 20;

const oneOf = <T extends string>(values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)));
const text = Type.String({ maxLength: 300 });
/** Maximum length of a domain: 255 bytes, each escaped as a backslash and three digits. */
const domain = Type.String({ maxLength: 1024 });
/** Maximum length of a rule; the rule parser accepts 10 KiB. */
const rule = Type.String({ maxLength: 16 * 1024 });
/** Maximum time value of ECMAScript. */
const MAX_TIME = 8.64e15;
const number = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 });

const isRecord = Compile(
  Type.Object({
    time: Type.Integer({ minimum: 0, maximum: MAX_TIME }),
    account: text,
    dnsServer: text,
    device: Type.Optional(text),
    domain,
    type: number,
    rcode: number,
    protocol: oneOf(queryProtocols),
    status: oneOf(filteringStatuses),
    source: Type.Optional(oneOf(filteringSources)),
    filterId: Type.Optional(text),
    rule: Type.Optional(rule),
    serviceId: Type.Optional(text),
    clientCountry: Type.Optional(text),
    responseCountry: Type.Optional(text),
    asn: Type.Optional(number),
    network: Type.Optional(text),
    dnssec: Type.Boolean(),
    companyId: text,
    category: oneOf(queryCategories),
    clientSubnet: Type.Optional(text),
    latencyMs: Type.Optional(number),
  }),
);

/** Decodes the records of a batch: lines of JSON, compressed with gzip. Undefined if it is malformed. */
export function readRecordsBody(body: Uint8Array): readonly QueryRecord[] | undefined {
  try {
    const lines = gunzipSync(body, { maxOutputLength: MAX_BYTES }).toString('utf8').split('\n');
    const records = lines.map((line) => JSON.parse(line) as unknown);
    return records.every((record) => isRecord.Check(record)) ? (records as QueryRecord[]) : undefined;
  } catch {
    return undefined;
  }
}
