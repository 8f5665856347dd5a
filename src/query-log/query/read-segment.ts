import { firstCursor, type LogQuery } from '../../domain/log-query.ts';
import type { FoundSegment, ReadTransaction, SegmentMeta } from '../backends/log-backend.ts';
import type { Value } from '../segments/columns.ts';
import { type Codes, type OpenColumns, openColumns } from '../segments/open-columns.ts';
import { keyFields, type RowTable, valuesOf } from '../segments/row.ts';
import { newestFirst, type PositionOrigin, positionsIn, type RowPosition } from '../segments/row-position.ts';
import { dayOf } from '../segments/row-table.ts';
import { rowReader, type SegmentPart, type SegmentParts, segmentParts } from '../segments/segment.ts';
import { matchingKeys, matchingNames, type Predicate, predicatesOf } from './filter.ts';

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
  /** In lower case; empty for no search. */
  readonly search: string;
  readonly isInRange: (position: RowPosition) => boolean;
};

export function pageFilter(query: LogQuery): PageFilter {
  const start = query.cursor ?? firstCursor(query.to);
  return {
    limit: query.limit,
    predicates: predicatesOf(query),
    search: lowerCase(query.search ?? ''),
    isInRange: (position) =>
      position.time >= query.from && position.time <= query.to && newestFirst(position, start) > 0,
  };
}

/** ASCII only: other letters have no case in DNS. */
const lowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Matching rows of a raw segment. */
export function findInRaw({ predicates, search, isInRange }: PageFilter, table: RowTable): Found {
  const { times, sequences, names, keys } = table;
  const isWantedName = names.values.map((name) => (name as string).includes(search));
  const checks = predicates.map(([field, set]) => {
    const { values, codes } = keys.fields[keyFields.indexOf(field)]!;
    const isWanted = values.map((value) => set.has(value));
    return (key: number): boolean => isWanted[codes[key]!]!;
  });
  const isWantedKey = Array.from({ length: keys.length }, (_, key) => checks.every((isWanted) => isWanted(key)));
  if (!isWantedKey.includes(true) || !isWantedName.includes(true)) return nothing;
  const rows: (RowPosition & { number: number })[] = [];
  for (let number = 0; number < table.length; number += 1) {
    if (!isWantedKey[keys.codes[number]!] || !isWantedName[names.codes[number]!]) continue;
    const position = { time: times[number]!, sequence: sequences[number]! };
    if (isInRange(position)) rows.push({ ...position, number });
  }
  return { rows, reader: () => (number) => valuesOf(table, number) };
}

/** The base of row positions in a segment. Format 2 stored batch numbers as they are, later formats relative to the newest. */
export const originOf = ({ first, batch, format }: SegmentMeta): PositionOrigin => ({
  dayStart: dayOf(first),
  batch: format === 2 ? 0 : batch,
});

/** Matching rows of an encoded segment. Keys and names are read first, because they may exclude it. */
export async function findInEncoded(
  filter: PageFilter,
  view: ReadTransaction,
  { meta, parts: given }: FoundSegment,
): Promise<Found> {
  const read = async <Part extends SegmentPart>(...parts: readonly Part[]) => (await view.parts([meta], parts))[0]!;
  const { predicates, search } = filter;
  const ofKeys = predicates.length > 0 ? await read('keys') : undefined;
  const keys = ofKeys && matchingKeys(ofKeys.keys, predicates);
  if (ofKeys && !keys) return nothing;
  const ofNames = search === '' ? undefined : given.names ? { names: given.names } : await read('names');
  const names = ofNames && matchingNames(ofNames.names, search);
  if (ofNames && !names) return nothing;
  const others = segmentParts.filter((part) => !(ofKeys && part === 'keys') && !(ofNames && part === 'names'));
  const parts: SegmentParts = { ...(await read(...others)), ...ofKeys, ...ofNames };
  return {
    rows: matchingRows(filter, openColumns(parts.spots, 'as read'), originOf(meta), { keys, names }),
    reader: () => rowReader(parts),
  };
}

function matchingRows(
  { limit, isInRange }: PageFilter,
  spots: OpenColumns,
  origin: PositionOrigin,
  { keys, names }: { keys: Uint8Array | undefined; names: Uint8Array | undefined },
): Found['rows'] {
  const codes = (column: 'key' | 'domain') => spots.column(column).codes();
  const matching = (keys && rowsWith(keys, codes('key'))) ?? (names && rowsWith(names, codes('domain')));
  const ofNames = keys && names && codes('domain');
  const at = positionsIn(spots, origin);
  const rows: (RowPosition & { number: number })[] = [];
  for (let place = 0; place < (matching?.length ?? spots.length) && rows.length <= limit; place += 1) {
    const number = matching ? matching[place]! : place;
    if (ofNames && names[ofNames[number]!] === 0) continue;
    const { time, sequence } = at(number);
    if (isInRange({ time, sequence })) rows.push({ time, sequence, number });
  }
  return rows;
}

function rowsWith(isMatch: Uint8Array, given: Codes): readonly number[] {
  // One array type: loops over several typed-array types are many times slower.
  const codes = new Uint32Array(given);
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row += 1) if (isMatch[codes[row]!] === 1) rows.push(row);
  return rows;
}
