import type { QueryRecord } from '../../domain/query-record.ts';
import type { EncodedValues, Value } from './columns.ts';

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

export const tableFields = ['domain', ...keyFields, ...restFields] as const;
export type TableField = (typeof tableFields)[number];

const places = new Map<string, number>(tableFields.map((field, place) => [field, place]));
/** Where a field is among all of a row. */
export const placeOf = (field: TableField): number => places.get(field)!;

/** Each different value once, and which of them each of some things has. */
export type EncodedColumn = { readonly values: readonly Value[]; readonly codes: Uint32Array };

/** The different combinations of some fields, each once, and which of them each row has. */
export type EncodedTuples = {
  readonly length: number;
  /** Of each combination; where there is nothing, null. */
  readonly fields: readonly EncodedColumn[];
  readonly codes: Uint32Array;
};

/** Domains; encodedValues already by whoever has them as bytes, and then values only if somebody asks for them. */
export type NameColumn = EncodedColumn & { readonly encodedValues?: () => EncodedValues };

/** The same domains for other rows. */
export const withCodes = (names: NameColumn, codes: Uint32Array): NameColumn => ({
  get values() {
    return names.values;
  },
  codes,
  ...(names.encodedValues && { encodedValues: names.encodedValues }),
});

/** What rows are, without when they were. */
export type RowContent = {
  readonly names: NameColumn;
  /** In the order of the key fields. */
  readonly keys: EncodedTuples;
  /** In the order of the other fields. */
  readonly rest: EncodedTuples;
};

/**
 * Records of one account on their way into or out of storage, by three numbers a row: its name, its combination of what filters ask
 * for, and that of everything else. Of each combination all is worked out once, however many rows have it.
 */
export type RowTable = RowContent & {
  readonly length: number;
  readonly times: Float64Array;
  /** Unique within the account; orders the rows of one millisecond. */
  readonly sequences: Float64Array;
};

/** The values of all fields of a row, in their order. */
export function valuesOf({ names, keys, rest }: RowContent, row: number): Value[] {
  const values = [names.values[names.codes[row]!]!];
  for (const { fields, codes } of [keys, rest])
    for (const field of fields) values.push(field.values[field.codes[codes[row]!]!]!);
  return values;
}

export function recordOf(account: string, time: number, values: readonly (Value | undefined)[]): QueryRecord {
  const record: Record<string, Value> = { time, account };
  for (let place = 0; place < tableFields.length; place += 1) {
    const value = values[place];
    if (value !== null && value !== undefined) record[tableFields[place]!] = value;
  }
  const { rule, domain } = record;
  if (typeof rule === 'string' && rule.includes(NAME_MARK)) record['rule'] = withName(rule, domain as string);
  return record as unknown as QueryRecord;
}

/*
 * Most rules are the name itself in one of few forms. Such a rule is kept as its form alone, with this mark and a character that
 * says how many labels, where its name belongs: a column of rules then has few values, however many names there are.
 */
const NAME_MARK = '\0';

/** The form of a rule that names the last so many labels of the domain. */
export const ruleForm = (before: string, labels: number, behind: string): string =>
  `${before}${NAME_MARK}${String.fromCharCode(labels)}${behind}`;

function withName(form: string, domain: string): string {
  const mark = form.indexOf(NAME_MARK);
  const labels = domain.split('.').slice(-form.charCodeAt(mark + 1));
  return `${form.slice(0, mark)}${labels.join('.')}${form.slice(mark + 2)}`;
}
