import { type TableField, tableFields } from '../segments/row.ts';

/** Columns that contain NULL for a missing value; the others contain an empty string. */
const nullable: ReadonlySet<TableField> = new Set<TableField>(['asn', 'network']);
/** Required fields, in which an empty string is a value, such as the domain of the root. */
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

/** Whether an empty string in the column means a missing value. */
export const isMissingIfEmpty = tableFields.map((field) => !nullable.has(field) && !required.has(field));
