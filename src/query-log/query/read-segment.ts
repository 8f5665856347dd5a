import { firstCursor, type LogQuery } from '../../domain/log-query.ts';
import type { FoundSegment, ReadTransaction, SegmentMeta } from '../backends/log-backend.ts';
import type { Value } from '../segments/columns.ts';
import { type Codes, type OpenColumns, openColumns } from '../segments/open-columns.ts';
import { keyFields, type RowTable, valuesOf } from '../segments/row.ts';
import { newestFirst, type PositionOrigin, positionsIn, type RowPosition } from '../segments/row-position.ts';
import { dayOf } from '../segments/row-table.ts';
import { rowReader, type SegmentPart, type SegmentParts, segmentParts } from '../segments/segment.ts';
import { matchingKeys, matchingNames, type Predicate, predicatesOf } from './filter.ts';

/** The rows of a block that are wanted, or as many of the newest as a page needs, and how to read them. */
export type Found = {
  readonly rows: readonly (RowPosition & { readonly number: number })[];
  /** The values of all fields, in their order. */
  readonly reader: () => (number: number) => readonly Value[];
};

const nothing: Found = { rows: [], reader: () => () => [] };

/** What is asked of every block. */
export type Asked = {
  readonly limit: number;
  readonly wanted: readonly Predicate[];
  /** In small letters; empty if nothing is searched for. */
  readonly search: string;
  readonly isInRange: (position: RowPosition) => boolean;
};

export function pageFilter(query: LogQuery): Asked {
  const start = query.cursor ?? firstCursor(query.to);
  return {
    limit: query.limit,
    wanted: predicatesOf(query),
    search: lowerCase(query.search ?? ''),
    isInRange: (position) =>
      position.time >= query.from && position.time <= query.to && newestFirst(position, start) > 0,
  };
}

/** Names are folded by ASCII alone: other letters have no case in DNS. */
const lowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Rows as they came. */
export function findInRaw({ wanted, search, isInRange }: Asked, table: RowTable): Found {
  const { times, sequences, names, keys } = table;
  const isWantedName = names.values.map((name) => (name as string).includes(search));
  const checks = wanted.map(([field, set]) => {
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

/** Rows of a packed block, by its keys and names. What is needed to tell that there are none is read first. */
export async function findInEncoded(
  asked: Asked,
  view: ReadTransaction,
  { meta, parts: given }: FoundSegment,
): Promise<Found> {
  const read = async <Part extends SegmentPart>(...parts: readonly Part[]) => (await view.parts([meta], parts))[0]!;
  const { wanted, search } = asked;
  const ofKeys = wanted.length > 0 ? await read('keys') : undefined;
  const keys = ofKeys && matchingKeys(ofKeys.keys, wanted);
  if (ofKeys && !keys) return nothing;
  const ofNames = search === '' ? undefined : given.names ? { names: given.names } : await read('names');
  const names = ofNames && matchingNames(ofNames.names, search);
  if (ofNames && !names) return nothing;
  const others = segmentParts.filter((part) => !(ofKeys && part === 'keys') && !(ofNames && part === 'names'));
  const parts: SegmentParts = { ...(await read(...others)), ...ofKeys, ...ofNames };
  return {
    rows: matchingRows(asked, openColumns(parts.spots, 'as read'), originOf(meta), { keys, names }),
    reader: () => rowReader(parts),
  };
}

function matchingRows(
  { limit, isInRange }: Asked,
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
  // All of one width: loops over arrays of several kinds take many times as long.
  const codes = new Uint32Array(given);
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row += 1) if (isMatch[codes[row]!] === 1) rows.push(row);
  return rows;
}
