import type { LogQuery } from '../../domain/log-query.ts';
import type { Value } from '../segments/columns.ts';
import { openColumns } from '../segments/open-columns.ts';
import type { KeyField } from '../segments/row.ts';

// Fields with many values come first: of those there are most likely few rows, and then nothing else has to be looked at.
const askedOf: readonly (readonly [KeyField, keyof LogQuery])[] = [
  ['companyId', 'companies'],
  ['responseCountry', 'countries'],
  ['device', 'devices'],
  ['category', 'categories'],
  ['dnsServer', 'dnsServers'],
  ['status', 'statuses'],
];

export type Predicate = readonly [KeyField, ReadonlySet<Value>];

/** What a query asks of the key fields; empty when it asks nothing. */
export const predicatesOf = (query: LogQuery): readonly Predicate[] =>
  askedOf.flatMap(([field, name]) => {
    const values = query[name] as readonly string[] | undefined;
    return values && values.length > 0 ? [[field, new Set<Value>(values)] as const] : [];
  });

/** Which combinations of a block are wanted; undefined when none is. */
export function matchingKeys(part: Uint8Array, wanted: readonly Predicate[]): Uint8Array | undefined {
  const keys = openColumns(part, 'none');
  const columns = wanted.map(([field, set]) => {
    const column = keys.column(field);
    return { column, codes: Array.from(set, column.codeOf).filter((code) => code !== -1) };
  });
  if (columns.some(({ codes }) => codes.length === 0)) return undefined;
  const matches = new Uint8Array(keys.length).fill(1);
  for (const { column, codes } of columns) {
    const isWanted = new Uint8Array(column.size());
    for (const code of codes) isWanted[code] = 1;
    // All of one width: loops over arrays of several kinds take many times as long.
    const ofKeys = new Uint32Array(column.codes());
    let found = 0;
    for (let key = 0; key < matches.length; key += 1) found |= matches[key]! &= isWanted[ofKeys[key]!]!;
    if (found === 0) return undefined;
  }
  return matches;
}

/** A text in more names than this is sooner found by reading them all. */
const FEW_NAMES = 100;

/** Which domains of a block contain the text; undefined when none does. */
export function matchingNames(part: Uint8Array, search: string): Uint8Array | undefined {
  const names = openColumns(part, 'none').column('domain');
  const hasText = (name: Value): boolean => (name as string).includes(search);
  const likely = names.codesWith(JSON.stringify(search).slice(1, -1), FEW_NAMES);
  if (!likely) return Uint8Array.from(names.values(), (name) => Number(hasText(name)));
  // What is written with a backslash may look like what is not.
  const found = likely.filter((code) => hasText(names.valueAt(code)));
  if (found.length === 0) return undefined;
  const matches = new Uint8Array(names.size());
  for (const code of found) matches[code] = 1;
  return matches;
}
