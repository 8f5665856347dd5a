import type { QueryRecord } from '../../domain/query-record.ts';
import { DamagedBytes, numbering, type Value } from './columns.ts';

/** What filters and statistics ask for. Rows that agree in all of these share one entry in a block's table of keys. */
export const keyFields = ['device', 'dnsServer', 'responseCountry', 'companyId', 'category', 'status'] as const;
export type KeyField = (typeof keyFields)[number];

/** What is only shown. */
export const restFields = [
  'type',
  'rcode',
  'protocol',
  'source',
  'filterId',
  'rule',
  'serviceId',
  'clientCountry',
  'asn',
  'network',
  'dnssec',
  'clientSubnet',
] as const;

const tableFields = ['domain', ...keyFields, ...restFields] as const;
export type TableField = (typeof tableFields)[number];

const places = new Map<string, number>(tableFields.map((field, place) => [field, place]));
/** Where a field is among the columns of a table. */
export const placeOf = (field: TableField): number => places.get(field)!;

export type NumberedColumn = { readonly values: readonly Value[]; readonly codes: Uint32Array };

/**
 * Records of one account on their way into or out of storage, by column: each different value once, and of each row
 * which it is. Rows as objects of their own would take several times as long to write, to read and to count.
 */
export type RowTable = {
  readonly length: number;
  readonly times: Float64Array;
  /** Unique within the account; orders the rows of one millisecond. */
  readonly sequences: Float64Array;
  /** In the order of the fields; where there is nothing, null. */
  readonly columns: readonly NumberedColumn[];
};

/** Newest first. */
export const newestFirst = (one: Place, other: Place): number => other.time - one.time || other.sequence - one.sequence;
type Place = { readonly time: number; readonly sequence: number };

export function recordOf(account: string, time: number, values: readonly (Value | undefined)[]): QueryRecord {
  const record: Record<string, Value> = { time, account };
  for (const [place, field] of tableFields.entries()) {
    const value = values[place];
    if (value !== null && value !== undefined) record[field] = value;
  }
  return record as unknown as QueryRecord;
}

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
const inOrder = tableFields.map((field) => readers[field]);

// The values, and which of them each row has; 0 where there is only one.
type WrittenColumn = readonly [readonly Value[], readonly number[] | 0];
// The first time, how much later each row was, and the columns.
type WrittenRows = readonly [number, readonly number[], readonly WrittenColumn[]];

/** The rows of some records of one account as text, for writing them quickly. */
export function writeRows(records: readonly QueryRecord[]): string {
  const start = records[0]!.time;
  const columns = inOrder.map((read): WrittenColumn => {
    const first = read(records[0]!) ?? null;
    if (records.every((record) => (read(record) ?? null) === first)) return [[first], 0];
    const { values, of } = numbering();
    const codes = records.map((record) => of(read(record) ?? null));
    return [values, codes];
  });
  return JSON.stringify([start, records.map(({ time }) => time - start), columns] satisfies WrittenRows);
}

/** `batch`: the number of the batch these rows came in; with their place in it, it makes their sequence. */
export function readRows(text: string, batch: number): RowTable {
  const [start, offsets, columns] = parsed(text);
  const { length } = offsets;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  for (let row = 0; row < length; row += 1) {
    times[row] = start + offsets[row]!;
    sequences[row] = batch * MAX_BATCH_ROWS + row;
  }
  return {
    length,
    times,
    sequences,
    columns: columns.map(([values, codes]) => ({
      values,
      codes: codes === 0 ? new Uint32Array(length) : new Uint32Array(codes),
    })),
  };
}

function parsed(text: string): WrittenRows {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedBytes(error);
  }
}

/** As many rows as one batch may number. Batch numbers are about as large as times: the product must stay exact. */
export const MAX_BATCH_ROWS = 4096;
