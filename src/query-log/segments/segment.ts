import { packColumns, type Value } from './columns.ts';
import { encodeRowPages } from './index-pages.ts';
import { type OpenColumns, openColumns } from './open-columns.ts';
import { type EncodedTuples, keyFields, type NameColumn, type RowTable, restFields } from './row.ts';
import { type PositionOrigin, positionColumns, positionsIn } from './row-position.ts';
import { dayOf } from './row-table.ts';
import { hourBit, hoursBetween, type ZoneMap } from './zone-map.ts';

/**
 * A block holds thousands of rows of one account and one UTC day, newest first, in parts that are read apart:
 * `keys`, the different combinations of what filters ask for, tells whether any row can match;
 * `names`, the different domains, tells the same of a search;
 * `spots` says of each row when it was and which combinations and domain are its own;
 * `rest`, the different combinations of everything else, is only shown.
 */
export const segmentParts = ['keys', 'names', 'spots', 'rest'] as const;
export type SegmentPart = (typeof segmentParts)[number];
export type SegmentParts = Readonly<Record<SegmentPart, Uint8Array>>;

/** A block of more rows is cut. As many as are counted at once, and the batch that made them enough, are one block. */
export const MAX_ROWS = 40_960;

/** The rows: of one day, newest first. `batch` is the newest they came in. */
export function encodeSegment(table: RowTable, batch: number) {
  const { length, times, sequences, names, keys, rest } = table;
  const origin = { dayStart: dayOf(times[0]!), batch };
  const parts: SegmentParts = {
    keys: packCombinations(keyFields, keys),
    names: packColumns(0, { domain: { ...writtenNames(names), codes: [], hasOffsets: true } }),
    spots: packColumns(length, {
      ...positionColumns(times, sequences, origin),
      key: { codes: keys.codes },
      domain: { codes: names.codes },
      rest: { codes: rest.codes },
    }),
    rest: packCombinations(restFields, rest),
  };
  return { parts, pages: encodeRowPages(table, origin) };
}

const writtenNames = (names: NameColumn) =>
  names.encodedValues ? { encodedValues: names.encodedValues } : { values: names.values };

/** Lists with more values are not read as a whole to find one. */
const MANY_VALUES = 16;

const packCombinations = (names: readonly string[], { length, fields }: EncodedTuples): Uint8Array =>
  packColumns(
    length,
    Object.fromEntries(
      names.map((name, place) => [name, { ...fields[place]!, hasOffsets: fields[place]!.values.length > MANY_VALUES }]),
    ),
  );

/** What occurs in rows of one day, and in which hours. */
export function zoneMapOf({ length, times, keys }: RowTable): ZoneMap {
  const hours = new Uint32Array(keys.length);
  for (let row = 0; row < length; row += 1) hours[keys.codes[row]!]! |= hourBit(times[row]!);
  return { length: keys.length, fields: keys.fields, hours, droppedDimensions: [] };
}

/** The same by the keys of a block alone: each may have been in any hour that the block touches. */
export function zoneMapOfKeys(keys: Uint8Array, { first, last }: { first: number; last: number }): ZoneMap {
  const open = openColumns(keys);
  const fields = keyFields.map((field) => {
    const column = open.column(field);
    return { values: column.values(), codes: new Uint32Array(column.codes()) };
  });
  return {
    length: open.length,
    fields,
    hours: new Uint32Array(open.length).fill(hoursBetween(first, last)),
    droppedDimensions: [],
  };
}

/** Reads rows of a block by their numbers: the values of all fields, in their order. */
export function rowReader(parts: SegmentParts): (row: number) => readonly Value[] {
  const [spots, keys, rest] = [parts.spots, parts.keys, parts.rest].map((part) =>
    openColumns(part, 'as read'),
  ) as Three;
  const names = openColumns(parts.names, 'as read').column('domain');
  const [domain, key, other] = [spots.column('domain'), spots.column('key'), spots.column('rest')];
  const keyColumns = keyFields.map((field) => keys.column(field));
  const restColumns = restFields.map((field) => rest.column(field));
  return (row) => {
    const [keyCode, restCode] = [key.codeAt(row), other.codeAt(row)];
    const values = [names.valueAt(domain.codeAt(row))];
    for (const column of keyColumns) values.push(column.valueAt(column.codeAt(keyCode)));
    for (const column of restColumns) values.push(column.valueAt(column.codeAt(restCode)));
    return values;
  };
}
type Three = [OpenColumns, OpenColumns, OpenColumns];

/** All rows of a block again. */
export function tableOf(parts: SegmentParts, origin: PositionOrigin): RowTable {
  const spots = openColumns(parts.spots);
  const { length } = spots;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  const at = positionsIn(spots, origin);
  for (let row = 0; row < length; row += 1) {
    const { time, sequence } = at(row);
    times[row] = time;
    sequences[row] = sequence;
  }
  const codesOf = (name: string): Uint32Array => new Uint32Array(spots.column(name).codes());
  const encodeTuples = (part: Uint8Array, names: readonly string[], codes: Uint32Array): EncodedTuples => {
    const open = openColumns(part);
    const fields = names.map((name) => {
      const column = open.column(name);
      return { values: column.values(), codes: new Uint32Array(column.codes()) };
    });
    return { length: open.length, fields, codes };
  };
  return {
    length,
    times,
    sequences,
    names: { values: openColumns(parts.names).column('domain').values(), codes: codesOf('domain') },
    keys: encodeTuples(parts.keys, keyFields, codesOf('key')),
    rest: encodeTuples(parts.rest, restFields, codesOf('rest')),
  };
}
