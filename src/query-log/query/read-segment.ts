import { type DomainSearch, domainSearch, firstCursor, type LogQuery } from '../../domain/log-query.ts';
import type { FoundSegment, ReadTransaction, SegmentMeta } from '../backends/log-backend.ts';
import type { Value } from '../segments/columns.ts';
import { type Codes, type OpenColumns, openColumns } from '../segments/open-columns.ts';
import { type EncodedTuples, keyFields, type RestField, type RowTable, restFields, valuesOf } from '../segments/row.ts';
import { newestFirst, type PositionOrigin, positionsIn, type RowPosition } from '../segments/row-position.ts';
import { dayOf } from '../segments/row-table.ts';
import { rowReader, type SegmentPart, type SegmentParts, segmentParts } from '../segments/segment.ts';
import { matchingNames, matchingTuples, type Predicate, predicatesOf, restPredicatesOf } from './filter.ts';

/** Matching rows of a segment, or as many of the newest as a page needs, and a reader for them. */
export type Found = {
  readonly rows: readonly (RowPosition & { readonly number: number })[];
  /** The values of all fields, in their order. */
  readonly reader: () => (number: number) => readonly Value[];
};

const nothing: Found = { rows: [], reader: () => () => [] };

/** Conditions on every row of a page. */
export type PageFilter = {
  readonly limit: number;
  readonly predicates: readonly Predicate[];
  readonly restPredicates: readonly Predicate<RestField>[];
  readonly search: DomainSearch;
  readonly isInRange: (position: RowPosition) => boolean;
};

export function pageFilter(query: LogQuery): PageFilter {
  const start = query.cursor ?? firstCursor(query.to);
  return {
    limit: query.limit,
    predicates: predicatesOf(query),
    restPredicates: restPredicatesOf(query),
    search: domainSearch(query.search),
    isInRange: (position) =>
      position.time >= query.from && position.time <= query.to && newestFirst(position, start) > 0,
  };
}

/** Matching rows of a raw segment. */
export function findInRaw({ predicates, restPredicates, search, isInRange }: PageFilter, table: RowTable): Found {
  const { times, sequences, names, keys, rest } = table;
  const isWantedName = names.values.map((name) => search.matches(name as string));
  const isWantedKey = wantedTuples(keys, keyFields, predicates);
  const isWantedRest = wantedTuples(rest, restFields, restPredicates);
  if (![isWantedKey, isWantedRest, isWantedName].every((wanted) => wanted.includes(true))) return nothing;
  const rows: (RowPosition & { number: number })[] = [];
  for (let number = 0; number < table.length; number += 1) {
    if (!isWantedKey[keys.codes[number]!] || !isWantedName[names.codes[number]!]) continue;
    if (!isWantedRest[rest.codes[number]!]) continue;
    const position = { time: times[number]!, sequence: sequences[number]! };
    if (isInRange(position)) rows.push({ ...position, number });
  }
  return { rows, reader: () => (number) => valuesOf(table, number) };
}

/** Which tuples of decoded rows match. */
export function wantedTuples<Field extends string>(
  { fields, length }: EncodedTuples,
  names: readonly Field[],
  predicates: readonly Predicate<Field>[],
): readonly boolean[] {
  const checks = predicates.map(([name, set]) => {
    const { values, codes } = fields[names.indexOf(name)]!;
    const isWanted = values.map((value) => set.has(value));
    return (tuple: number): boolean => isWanted[codes[tuple]!]!;
  });
  return Array.from({ length }, (_, tuple) => checks.every((isWanted) => isWanted(tuple)));
}

/** The base of row positions in a segment. Format 2 stored batch numbers as they are, later formats relative to the newest. */
export const originOf = ({ first, batch, format }: SegmentMeta): PositionOrigin => ({
  dayStart: dayOf(first),
  batch: format === 2 ? 0 : batch,
});

/** Matching rows of an encoded segment. The parts that may exclude it are read first. */
export async function findInEncoded(
  filter: PageFilter,
  view: ReadTransaction,
  { meta, parts: loaded }: FoundSegment,
): Promise<Found> {
  const read = async <Part extends SegmentPart>(...parts: readonly Part[]) => (await view.parts([meta], parts))[0]!;
  const { predicates, restPredicates, search } = filter;
  const ofKeys = predicates.length > 0 ? await read('keys') : undefined;
  const keys = ofKeys && matchingTuples(ofKeys.keys, predicates);
  if (ofKeys && !keys) return nothing;
  const ofNames = search.text === '' ? undefined : loaded.names ? { names: loaded.names } : await read('names');
  const names = ofNames && matchingNames(ofNames.names, search);
  if (ofNames && !names) return nothing;
  const ofRest = restPredicates.length > 0 ? await read('rest') : undefined;
  const rest = ofRest && matchingTuples(ofRest.rest, restPredicates);
  if (ofRest && !rest) return nothing;
  const alreadyRead: Partial<SegmentParts> = { ...ofKeys, ...ofNames, ...ofRest };
  const missing = segmentParts.filter((part) => alreadyRead[part] === undefined);
  const parts = { ...(await read(...missing)), ...alreadyRead };
  const matches = { key: keys, domain: names, rest };
  return {
    rows: matchingRows(filter, openColumns(parts.spots, 'as read'), originOf(meta), matches),
    reader: () => rowReader(parts),
  };
}

function matchingRows(
  { limit, isInRange }: PageFilter,
  spots: OpenColumns,
  origin: PositionOrigin,
  matches: Readonly<Record<'key' | 'domain' | 'rest', Uint8Array | undefined>>,
): Found['rows'] {
  const [first, ...others] = (['key', 'domain', 'rest'] as const).flatMap((column) => {
    const isMatch = matches[column];
    return isMatch ? [{ isMatch, codes: spots.column(column).codes() }] : [];
  });
  const matching = first && rowsWith(first.isMatch, first.codes);
  const at = positionsIn(spots, origin);
  const rows: (RowPosition & { number: number })[] = [];
  for (let index = 0; index < (matching?.length ?? spots.length) && rows.length <= limit; index += 1) {
    const number = matching ? matching[index]! : index;
    if (others.some(({ isMatch, codes }) => isMatch[codes[number]!] === 0)) continue;
    const { time, sequence } = at(number);
    if (isInRange({ time, sequence })) rows.push({ time, sequence, number });
  }
  return rows;
}

function rowsWith(isMatch: Uint8Array, column: Codes): readonly number[] {
  // Always the same array type, because loops over several typed-array types are many times slower.
  const codes = new Uint32Array(column);
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row += 1) if (isMatch[codes[row]!] === 1) rows.push(row);
  return rows;
}
