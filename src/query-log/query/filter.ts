import type { DomainSearch, LogQuery } from '../../domain/log-query.ts';
import type { Value } from '../segments/columns.ts';
import { openColumns } from '../segments/open-columns.ts';
import type { KeyField, RestField } from '../segments/row.ts';

// Fields with many values first, because they usually leave few rows, so that evaluation stops early.
const filterFields: readonly (readonly [KeyField, Exclude<keyof LogQuery, 'limit'>])[] = [
  ['companyId', 'companies'],
  ['responseCountry', 'countries'],
  ['device', 'devices'],
  ['category', 'categories'],
  ['dnsServer', 'dnsServers'],
  ['status', 'statuses'],
];

export type Predicate<Field extends string = KeyField> = readonly [Field, ReadonlySet<Value>];

/** Predicates on the key fields. */
export const predicatesOf = (query: Omit<LogQuery, 'limit'>): readonly Predicate[] =>
  filterFields.flatMap(([field, name]) => {
    const values = query[name] as readonly string[] | undefined;
    return values && values.length > 0 ? [[field, new Set<Value>(values)] as const] : [];
  });

/** Predicates on the other fields. The index does not contain them, so all segments of the period are read. */
export const restPredicatesOf = ({ clientAddresses, lists }: LogQuery): readonly Predicate<RestField>[] =>
  (
    [
      ['clientSubnet', clientAddresses],
      ['filterId', lists],
    ] as const
  ).flatMap(([field, values]) => (values && values.length > 0 ? [[field, new Set<Value>(values)] as const] : []));

/** Which key or rest tuples of a segment match; undefined if none does. */
export function matchingTuples(part: Uint8Array, predicates: readonly Predicate<string>[]): Uint8Array | undefined {
  const tuples = openColumns(part, 'none');
  const columns = predicates.map(([field, set]) => {
    const column = tuples.column(field);
    return { column, codes: Array.from(set, column.codeOf).filter((code) => code !== -1) };
  });
  if (columns.some(({ codes }) => codes.length === 0)) return undefined;
  const matches = new Uint8Array(tuples.length).fill(1);
  for (const { column, codes } of columns) {
    const isWanted = new Uint8Array(column.size());
    for (const code of codes) isWanted[code] = 1;
    // Always the same array type, because loops over several typed-array types are many times slower.
    const ofTuples = new Uint32Array(column.codes());
    let found = 0;
    for (let tuple = 0; tuple < matches.length; tuple += 1) found |= matches[tuple]! &= isWanted[ofTuples[tuple]!]!;
    if (found === 0) return undefined;
  }
  return matches;
}

/** Above this number of matches, reading all names is faster. */
const FEW_NAMES = 100;

/** Which domains of a segment match; undefined if none does. */
export function matchingNames(part: Uint8Array, search: DomainSearch): Uint8Array | undefined {
  const names = openColumns(part, 'none').column('domain');
  const isWanted = (name: Value): boolean => search.matches(name as string);
  const likely = names.codesWith(JSON.stringify(search.text).slice(1, -1), FEW_NAMES);
  if (!likely) return Uint8Array.from(names.values(), (name) => Number(isWanted(name)));
  // Candidates are checked again: escaped text may contain the search text without matching, and a domain may be part of others.
  const found = likely.filter((code) => isWanted(names.valueAt(code)));
  if (found.length === 0) return undefined;
  const matches = new Uint8Array(names.size());
  for (const code of found) matches[code] = 1;
  return matches;
}
