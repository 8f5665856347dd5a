import { packColumns, type Value } from './columns.ts';
import { type OpenColumns, openColumns } from './open-columns.ts';
import { packPieces } from './packed-row-pages.ts';
import { type Combined, keyFields, type NameField, type RowTable, restFields } from './row.ts';
import { type SpotOrigin, spotColumns, spotsIn } from './row-position.ts';
import { dayOf } from './row-table.ts';
import { hourBit, hoursBetween, type Occurring } from './zone-map.ts';

/**
 * A block holds thousands of rows of one account and one UTC day, newest first, in parts that are read apart:
 * `keys`, the different combinations of what filters ask for, tells whether any row can match;
 * `names`, the different domains, tells the same of a search;
 * `spots` says of each row when it was and which combinations and domain are its own;
 * `rest`, the different combinations of everything else, is only shown.
 */
export const blockParts = ['keys', 'names', 'spots', 'rest'] as const;
export type BlockPart = (typeof blockParts)[number];
export type PackedBlock = Readonly<Record<BlockPart, Uint8Array>>;

/** A block of more rows is cut. As many as are counted at once, and the batch that made them enough, are one block. */
export const MAX_ROWS = 40_960;

/** The rows: of one day, newest first. `batch` is the newest they came in. */
export function packBlock(table: RowTable, batch: number) {
  const { length, times, sequences, names, keys, rest } = table;
  const origin = { dayStart: dayOf(times[0]!), batch };
  const parts: PackedBlock = {
    keys: packCombinations(keyFields, keys),
    names: packColumns(0, { domain: { ...writtenNames(names), codes: [], isPicked: true } }),
    spots: packColumns(length, {
      ...spotColumns(times, sequences, origin),
      key: { codes: keys.codes },
      domain: { codes: names.codes },
      rest: { codes: rest.codes },
    }),
    rest: packCombinations(restFields, rest),
  };
  return { parts, pieces: packPieces(table, origin) };
}

const writtenNames = (names: NameField) => (names.written ? { written: names.written } : { values: names.values });

/** Lists with more values are not read as a whole to find one. */
const MANY_VALUES = 16;

const packCombinations = (names: readonly string[], { length, fields }: Combined): Uint8Array =>
  packColumns(
    length,
    Object.fromEntries(
      names.map((name, place) => [name, { ...fields[place]!, isPicked: fields[place]!.values.length > MANY_VALUES }]),
    ),
  );

/** What occurs in rows of one day, and in which hours. */
export function occurringIn({ length, times, keys }: RowTable): Occurring {
  const hours = new Uint32Array(keys.length);
  for (let row = 0; row < length; row += 1) hours[keys.codes[row]!]! |= hourBit(times[row]!);
  return { length: keys.length, fields: keys.fields, hours, givenUp: [] };
}

/** The same by the keys of a block alone: each may have been in any hour that the block touches. */
export function occurringInKeys(keys: Uint8Array, { first, last }: { first: number; last: number }): Occurring {
  const open = openColumns(keys);
  const fields = keyFields.map((field) => {
    const column = open.column(field);
    return { values: column.values(), codes: new Uint32Array(column.codes()) };
  });
  return {
    length: open.length,
    fields,
    hours: new Uint32Array(open.length).fill(hoursBetween(first, last)),
    givenUp: [],
  };
}

/** Reads rows of a block by their numbers: the values of all fields, in their order. */
export function rowReader(parts: PackedBlock): (row: number) => readonly Value[] {
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
export function tableOf(parts: PackedBlock, origin: SpotOrigin): RowTable {
  const spots = openColumns(parts.spots);
  const { length } = spots;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  const at = spotsIn(spots, origin);
  for (let row = 0; row < length; row += 1) {
    const { time, sequence } = at(row);
    times[row] = time;
    sequences[row] = sequence;
  }
  const codesOf = (name: string): Uint32Array => new Uint32Array(spots.column(name).codes());
  const combined = (part: Uint8Array, names: readonly string[], codes: Uint32Array): Combined => {
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
    keys: combined(parts.keys, keyFields, codesOf('key')),
    rest: combined(parts.rest, restFields, codesOf('rest')),
  };
}
