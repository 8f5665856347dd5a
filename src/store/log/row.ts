import type { QueryRecord } from '../../domain/query-record.ts';
import type { Value } from './columns.ts';
import { packRows } from './fresh-rows.ts';
import { numbering } from './numbering.ts';

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

export function recordOf(account: string, time: number, values: readonly (Value | undefined)[]): QueryRecord {
  const record: Record<string, Value> = { time, account };
  for (const [place, field] of tableFields.entries()) {
    const value = values[place];
    if (value !== null && value !== undefined) record[field] = value;
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

/** The rows of some records of one account and day, packed. */
export function writeRows(records: readonly QueryRecord[]): Uint8Array {
  const start = records[0]!.time;
  const { length } = records;
  return packRows({
    length,
    start,
    offsets: Int32Array.from(records, ({ time }) => time - start),
    columns: inOrder.map((read) => {
      const { values, of } = numbering();
      const codes = new Uint32Array(length);
      for (let row = 0; row < length; row += 1) codes[row] = of(read(records[row]!) ?? null);
      return { values, codes };
    }),
  });
}
