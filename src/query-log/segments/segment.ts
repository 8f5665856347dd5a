import { packColumns, type Value } from './columns.ts';
import { encodeRowPages } from './index-pages.ts';
import { latencyMs, NOT_MEASURED } from './latency.ts';
import { type OpenColumns, openColumns } from './open-columns.ts';
import { type EncodedTuples, keyFields, type Latencies, type NameColumn, type RowTable, restFields } from './row.ts';
import { type PositionOrigin, positionColumns, positionsIn } from './row-position.ts';
import { dayOf } from './row-table.ts';
import { hourBit, hoursBetween, type ZoneMap } from './zone-map.ts';

/**
 * A segment holds thousands of rows of one account and UTC day, newest first, in parts that are read separately:
 * `keys`, the distinct tuples of key fields, excludes segments without a match of the filters; `names`, the distinct domains,
 * does the same for a search; `spots` has time, key tuple, domain, rest tuple and latency of each row; `rest`, the distinct
 * tuples of all other fields, is only shown.
 */
export const segmentParts = ['keys', 'names', 'spots', 'rest'] as const;
export type SegmentPart = (typeof segmentParts)[number];
export type SegmentParts = Readonly<Record<SegmentPart, Uint8Array>>;

/** Segments of this size are not merged with others. */
export const LARGE_ROWS = 8192;
/** Larger segments are split. One flush and the batch that triggered it fit into one segment. */
export const MAX_ROWS = 40_960;

/** The rows: of one day, newest first. `batch`: the newest one. */
export function encodeSegment(table: RowTable, batch: number) {
  const { length, times, sequences, latencies, names, keys, rest } = table;
  const origin = { dayStart: dayOf(times[0]!), batch };
  const parts: SegmentParts = {
    keys: encodeTupleColumns(keyFields, keys),
    names: packColumns(0, { domain: { ...writtenNames(names), codes: [], hasOffsets: true } }),
    spots: packColumns(length, {
      ...positionColumns(times, sequences, origin),
      key: { codes: keys.codes },
      domain: { codes: names.codes },
      rest: { codes: rest.codes },
      latency: { codes: latencies },
    }),
    rest: encodeTupleColumns(restFields, rest),
  };
  return { parts, pages: encodeRowPages(table, origin) };
}

const writtenNames = (names: NameColumn) =>
  names.encodedValues ? { encodedValues: names.encodedValues } : { values: names.values };

/** Columns with more values store offsets, to find one value without reading all. */
const MANY_VALUES = 16;

const encodeTupleColumns = (names: readonly string[], { length, fields }: EncodedTuples): Uint8Array =>
  packColumns(
    length,
    Object.fromEntries(
      names.map((name, index) => [name, { ...fields[index]!, hasOffsets: fields[index]!.values.length > MANY_VALUES }]),
    ),
  );

/** Zone map of rows of one day. */
export function zoneMapOf({ length, times, keys }: RowTable): ZoneMap {
  const hours = new Uint32Array(keys.length);
  for (let row = 0; row < length; row += 1) hours[keys.codes[row]!]! |= hourBit(times[row]!);
  return { length: keys.length, fields: keys.fields, hours, droppedDimensions: [] };
}

/** Zone map by the key tuples of a segment: each may occur in any hour of the segment. */
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

/** Segments of versions that did not measure latencies have no such column. */
const latencyColumn = (spots: OpenColumns) => (spots.has('latency') ? spots.column('latency') : undefined);

function latenciesIn(spots: OpenColumns): Latencies {
  const column = latencyColumn(spots);
  return column ? new Uint8Array(column.codes()) : new Uint8Array(spots.length);
}

/** Reads rows of a segment by number: values of all fields, in order. */
export function rowReader(parts: SegmentParts): (row: number) => readonly Value[] {
  const [spots, keys, rest] = [parts.spots, parts.keys, parts.rest].map((part) =>
    openColumns(part, 'as read'),
  ) as Three;
  const names = openColumns(parts.names, 'as read').column('domain');
  const [domain, key, other] = [spots.column('domain'), spots.column('key'), spots.column('rest')];
  const keyColumns = keyFields.map((field) => keys.column(field));
  const restColumns = restFields.map((field) => rest.column(field));
  const latency = latencyColumn(spots);
  return (row) => {
    const [keyCode, restCode] = [key.codeAt(row), other.codeAt(row)];
    const values = [names.valueAt(domain.codeAt(row))];
    for (const column of keyColumns) values.push(column.valueAt(column.codeAt(keyCode)));
    for (const column of restColumns) values.push(column.valueAt(column.codeAt(restCode)));
    values.push(latencyMs(latency?.codeAt(row) ?? NOT_MEASURED));
    return values;
  };
}
type Three = [OpenColumns, OpenColumns, OpenColumns];

/** All rows of a segment. */
export const tableOf = (parts: SegmentParts, origin: PositionOrigin): RowTable => ({
  ...tableWithoutNames(parts, origin),
  names: {
    values: openColumns(parts.names).column('domain').values(),
    codes: new Uint32Array(openColumns(parts.spots).column('domain').codes()),
  },
});

/** All rows of a segment without their domains, which take longest to decode. */
export function tableWithoutNames(parts: Omit<SegmentParts, 'names'>, origin: PositionOrigin): Omit<RowTable, 'names'> {
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
    latencies: latenciesIn(spots),
    keys: encodeTuples(parts.keys, keyFields, codesOf('key')),
    rest: encodeTuples(parts.rest, restFields, codesOf('rest')),
  };
}
