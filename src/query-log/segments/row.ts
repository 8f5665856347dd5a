import type { QueryRecord } from '../../domain/query-record.ts';
import type { EncodedValues, Value } from './columns.ts';
import { latencyMs } from './latency.ts';

/** Fields of filters and statistics. Rows that agree in all of them share one key tuple in a segment. */
export const keyFields = ['device', 'dnsServer', 'responseCountry', 'companyId', 'category', 'status'] as const;
export type KeyField = (typeof keyFields)[number];

/** The other fields. Pages are filtered by one of them, the address of the client; the others are only shown. */
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
export type RestField = (typeof restFields)[number];

export const tableFields = ['domain', ...keyFields, ...restFields] as const;
export type TableField = (typeof tableFields)[number];

/** Members of a record, in the order of the values of a row. */
const recordFields = [...tableFields, 'latencyMs'] as const;

const columnsByField = new Map<string, number>(tableFields.map((field, index) => [field, index]));
/** Index of a field in `tableFields`. */
export const columnOf = (field: TableField): number => columnsByField.get(field)!;

/** Dictionary-encoded column: distinct values and a code per row or tuple. */
export type EncodedColumn = { readonly values: readonly Value[]; readonly codes: Uint32Array };

/** Distinct tuples of some fields, and the tuple of each row. */
export type EncodedTuples = {
  readonly length: number;
  /** Codes per tuple; missing values are null. */
  readonly fields: readonly EncodedColumn[];
  readonly codes: Uint32Array;
};

/** Domain column. `values` is decoded on access if the encoded values are given. */
export type NameColumn = EncodedColumn & { readonly encodedValues?: () => EncodedValues };

/** The same dictionary with other codes. */
export const withCodes = (names: NameColumn, codes: Uint32Array): NameColumn => ({
  get values() {
    return names.values;
  },
  codes,
  ...(names.encodedValues && { encodedValues: names.encodedValues }),
});

/** Rows without their times. */
export type RowContent = {
  readonly names: NameColumn;
  /** In the order of `keyFields`. */
  readonly keys: EncodedTuples;
  /** In the order of `restFields`. */
  readonly rest: EncodedTuples;
};

/**
 * Records of one account, as three codes per row: domain, key tuple and tuple of the other fields. Work on a tuple is
 * done once for all its rows.
 */
export type RowTable = RowContent & {
  readonly length: number;
  readonly times: Float64Array;
  /** Unique within the account; orders rows of one millisecond. */
  readonly sequences: Float64Array;
  readonly latencies: Latencies;
};

/** A code per row, see latency.ts. */
export type Latencies = Uint8Array;

/** Values of all fields of a row, in order, and its latency. */
export function valuesOf(
  { names, keys, rest, latencies }: RowContent & Pick<RowTable, 'latencies'>,
  row: number,
): Value[] {
  const values: Value[] = [names.values[names.codes[row]!]!];
  for (const { fields, codes } of [keys, rest])
    for (const field of fields) values.push(field.values[field.codes[codes[row]!]!]!);
  values.push(latencyMs(latencies[row]!));
  return values;
}

export function recordOf(account: string, time: number, values: readonly (Value | undefined)[]): QueryRecord {
  const record: Record<string, Value> = { time, account };
  for (let index = 0; index < recordFields.length; index += 1) {
    const value = values[index];
    if (value !== null && value !== undefined) record[recordFields[index]!] = value;
  }
  const rule = ruleOf(record['rule'], record['domain'] as string);
  if (rule !== undefined) record['rule'] = rule;
  return record as unknown as QueryRecord;
}

/** The text of a stored rule. */
export const ruleOf = (stored: Value | undefined, domain: string): string | undefined =>
  typeof stored !== 'string' ? undefined : stored.includes(NAME_MARK) ? withName(stored, domain) : stored;

/*
 * Most rules consist of the query name, or its end, in one of few forms. Such a rule is stored as its form: this marker
 * and a character with the number of labels replace the name. The column of rules then has few values.
 */
const NAME_MARK = '\0';

/** Replaces the last `labels` labels of the domain in the text of a rule. */
export const nameMarker = (labels: number): string => `${NAME_MARK}${String.fromCharCode(labels)}`;

function withName(form: string, domain: string): string {
  const mark = form.indexOf(NAME_MARK);
  const labels = domain.split('.').slice(-form.charCodeAt(mark + 1));
  return `${form.slice(0, mark)}${labels.join('.')}${form.slice(mark + 2)}`;
}
