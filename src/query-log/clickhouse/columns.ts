import { type TableField, tableFields } from '../segments/row.ts';

/** Columns that hold NULL for a missing value; in the others it is an empty text. */
const nullable: ReadonlySet<TableField> = new Set<TableField>(['asn', 'network']);
/** Fields that every row has: an empty text is a value, such as the domain of the root. */
const required: ReadonlySet<TableField> = new Set<TableField>([
  'domain',
  'dnsServer',
  'companyId',
  'category',
  'status',
  'type',
  'rcode',
  'protocol',
  'dnssec',
]);

export const columnOf = (field: TableField): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const columnNames = tableFields.map(columnOf);
/** NULL in rows of versions that did not measure it. */
export const LATENCY = 'latency_ms';

/** Whether an empty text in the column means that the value is missing. */
export const isMissingIfEmpty = tableFields.map((field) => !nullable.has(field) && !required.has(field));
