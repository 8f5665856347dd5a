import { type EncodedTuples, keyFields, type RowTable } from './row.ts';
import { scratchUint32 } from './scratch.ts';

/** Sort order of rows, least significant field first. */
const togetherBy = (['responseCountry', 'device', 'companyId'] as const).map((field) => keyFields.indexOf(field));

/** Sorts rows by company, device, country and name, so the rows of a page have much in common. */
export function clustered({ length, names, keys }: RowTable, rows: Uint32Array): Uint32Array {
  if (rows.length === 0) return rows;
  return togetherBy.reduce(
    (order, column) => sortedByField(keys, column, order, length),
    sortedBy(names.codes, names.values.length, rows),
  );
}

function sortedByField(keys: EncodedTuples, column: number, order: Uint32Array, length: number): Uint32Array {
  const { values, codes } = keys.fields[column]!;
  if (values.length === 1) return order;
  const ofRows = scratchUint32(length);
  for (const row of order) ofRows[row] = codes[keys.codes[row]!]!;
  return sortedBy(ofRows, values.length, order);
}

/** Stable counting sort by code. */
function sortedBy(codes: Uint32Array, count: number, order: Uint32Array): Uint32Array {
  const ends = scratchUint32(count);
  for (const row of order) ends[codes[row]!]! += 1;
  for (let code = 1; code < count; code += 1) ends[code]! += ends[code - 1]!;
  const sorted = scratchUint32(order.length);
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const code = codes[order[index]!]!;
    ends[code]! -= 1;
    sorted[ends[code]!] = order[index]!;
  }
  return sorted;
}
