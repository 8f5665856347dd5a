import { crc32 } from 'node:zlib';
import { packColumns, type Value } from './columns.ts';
import { numbering } from './numbering.ts';
import { openColumns } from './open-columns.ts';
import { type KeyField, keyFields, placeOf, type RowTable, tableFields, valuesOf } from './row.ts';
import { type Spot, type SpotOrigin, spotColumns, spotsIn } from './spots.ts';
import type { Wanted } from './wanted.ts';

/** Each value of a block belongs to one of so many parts, by its name alone; what is read of a block is one of them. */
export const FEW_PARTS = 32;
/** All parts of a block, in their order. */
export type PackedFew = readonly Uint8Array[];
/** Some parts of a block, by their numbers. */
export type FoundFew = ReadonlyMap<number, Uint8Array>;

/**
 * Rows of a value that is thinly spread lie in as many blocks as there are rows. They are kept a second time, whole and
 * by value, because to read a block for a single row takes ten times as long. A value has few rows if it has no more
 * than this, for with more of them few blocks fill a page...
 */
const MOST_FEW = 32;
/** ...and if not more rows than one of so many would be kept twice for a field: of some fields most values are rare. */
const ROWS_FOR_ONE = 8;
/** Of a smaller block none are kept twice: it is soon read. */
const LEAST_ROWS = 4096;

/** Stands for a value of a field. Two may have the same: whoever finds one looks at the rows. */
const hashOf = (field: KeyField, value: Value): number => crc32(`${field} ${value}`);

/** A value of a field, and where its rows are if they are few. */
type Owner = { readonly place: number; readonly value: Value; readonly hash: number; readonly part: number };

export function ownerOf(field: KeyField, value: Value): Owner {
  const hash = hashOf(field, value);
  return { place: placeOf(field), value, hash, part: hash % FEW_PARTS };
}

/** Where the rows of the wanted values are, if they are few. */
export const fewPartsOf = ([field, set]: Wanted): readonly number[] => [
  ...new Set(Array.from(set, (value) => ownerOf(field, value).part)),
];

/** Rows by the hashes of their values; none of those that have more than few. */
type Bucket = Map<number, readonly number[]>;
const MANY: readonly number[] = [];

/** The rows: of one day. Nothing where no value has few of them. */
export function packFew(table: RowTable, origin: SpotOrigin): PackedFew | undefined {
  if (table.length < LEAST_ROWS) return undefined;
  const buckets = Array.from({ length: FEW_PARTS }, (): Bucket => new Map());
  const rowsOfKeys = new Uint32Array(table.keys.length);
  for (const key of table.keys.codes) rowsOfKeys[key]! += 1;
  for (const [place, field] of keyFields.entries()) addFew(buckets, table, rowsOfKeys, field, place);
  if (buckets.every((bucket) => bucket.values().every((rows) => rows === MANY))) return undefined;
  // Where the values are few, most buckets are empty, and then all are the same.
  const empty = packBucket(table, new Map(), origin);
  return buckets.map((bucket) => (bucket.size === 0 ? empty : packBucket(table, bucket, origin)));
}

function addFew(
  buckets: readonly Bucket[],
  { keys, length }: RowTable,
  rowsOfKeys: Uint32Array,
  field: KeyField,
  place: number,
): void {
  const { values, codes } = keys.fields[place]!;
  const counts = new Uint32Array(values.length);
  for (let key = 0; key < codes.length; key += 1) counts[codes[key]!]! += rowsOfKeys[key]!;
  const most = mostFew(counts, length / ROWS_FOR_ONE);
  const isFewKey = codes.map((code) => Number(counts[code]! <= most));
  const rowsOf = values.map((): number[] => []);
  if (isFewKey.includes(1))
    for (let row = 0; row < length; row += 1)
      if (isFewKey[keys.codes[row]!] === 1) rowsOf[codes[keys.codes[row]!]!]!.push(row);
  for (const [code, value] of values.entries()) {
    const hash = hashOf(field, value);
    const bucket = buckets[hash % FEW_PARTS]!;
    bucket.set(hash, bucket.has(hash) || rowsOf[code]!.length === 0 ? MANY : rowsOf[code]!);
  }
}

/** As many rows as a value may have, so that all rows of such values together are not too many. */
function mostFew(counts: Uint32Array, room: number): number {
  const rows = new Uint32Array(MOST_FEW + 1);
  for (const count of counts) if (count <= MOST_FEW) rows[count]! += count;
  let sum = 0;
  const tooMany = rows.findIndex((ofCount) => {
    sum += ofCount;
    return sum > room;
  });
  return tooMany === -1 ? MOST_FEW : tooMany - 1;
}

function packBucket(table: RowTable, bucket: Bucket, origin: SpotOrigin): Uint8Array {
  const rows = Uint32Array.from([...bucket.values()].flat());
  const { length } = rows;
  const cells = new Uint32Array(length * tableFields.length);
  const { values, of } = numbering();
  let cell = 0;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  for (let place = 0; place < length; place += 1) {
    const row = rows[place]!;
    times[place] = table.times[row]!;
    sequences[place] = table.sequences[row]!;
    for (const value of valuesOf(table, row)) cells[cell++] = of(value);
  }
  return packColumns(length, {
    hash: { codes: [...bucket.keys()] },
    count: { codes: Array.from(bucket.values(), (ofValue) => ofValue.length) },
    ...spotColumns(times, sequences, origin),
    cells: { values, codes: cells, isPicked: true },
  });
}

/** For more rows it takes less to read all values than to pick those of each row. */
const MAX_PICKED = 2;

export type FewRows = {
  /** Which rows here have the value; undefined if there are more than few, which are not here. */
  readonly rowsOf: (owner: Owner) => readonly number[] | undefined;
  readonly at: (row: number) => Spot;
  /** The values of all fields, in their order. */
  readonly read: (row: number) => readonly Value[];
};

export function openFew(part: Uint8Array, origin: SpotOrigin): FewRows {
  const open = openColumns(part, 'as read');
  const cells = open.column('cells');
  const codes = cells.codes();
  const width = codes.length / open.length;
  let all: readonly Value[] | undefined;
  const valueIn = (cell: number): Value => (all ? all[codes[cell]!]! : cells.valueAt(codes[cell]!));
  return {
    rowsOf({ place, value, hash }) {
      const owner = open.column('hash').codes().indexOf(hash);
      if (owner === -1) return [];
      const counts = open.column('count').codes();
      if (counts[owner] === MANY.length) return undefined;
      if (counts[owner]! > MAX_PICKED) all = cells.values();
      let first = 0;
      for (let before = 0; before < owner; before += 1) first += counts[before]!;
      const rows: number[] = [];
      for (let row = first; row < first + counts[owner]!; row += 1)
        if (valueIn(row * width + place) === value) rows.push(row);
      return rows;
    },
    at: spotsIn(open, origin),
    read(row) {
      const values: Value[] = [];
      for (let cell = row * width; cell < (row + 1) * width; cell += 1) values.push(valueIn(cell));
      return values;
    },
  };
}
