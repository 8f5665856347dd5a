import { packColumns, type Value } from './columns.ts';
import { combinations } from './combinations.ts';
import { packFew } from './few.ts';
import { hourBit, type Occurring } from './occurring.ts';
import { type Codes, type OpenColumns, openColumns } from './open-columns.ts';
import { keyFields, placeOf, type RowTable, restFields } from './row.ts';
import { spotColumns, spotsIn } from './spots.ts';
import { dayOf } from './table.ts';

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

/** The rows: of one day, newest first. */
export function packBlock(table: RowTable) {
  const { length, times, sequences, columns } = table;
  const keys = keysOf(table);
  const rest = restOf(table);
  const domain = columns[placeOf('domain')]!;
  const parts: PackedBlock = {
    keys: packCombinations(keyFields, keys),
    names: packColumns(0, { domain: { values: domain.values, codes: [], isPicked: true } }),
    spots: packColumns(length, {
      ...spotColumns(times, sequences, dayOf(times[0]!)),
      key: { codes: keys.codes },
      domain: { codes: domain.codes },
      rest: { codes: rest.codes },
    }),
    rest: packCombinations(restFields, rest),
  };
  const { fields, hours } = keys;
  const occurring: Occurring = { length: keys.length, fields, hours, givenUp: [] };
  return { parts, few: packFew(table), occurring };
}

type CodedField = { readonly values: readonly Value[]; readonly codes: Uint32Array };
type Combined = {
  readonly length: number;
  readonly fields: readonly CodedField[];
  /** Which combination each row has. */
  readonly codes: Uint32Array;
};

/** Lists with more values are not read as a whole to find one. */
const MANY_VALUES = 16;

const packCombinations = (names: readonly string[], { length, fields }: Combined): Uint8Array =>
  packColumns(
    length,
    Object.fromEntries(
      names.map((name, place) => [name, { ...fields[place]!, isPicked: fields[place]!.values.length > MANY_VALUES }]),
    ),
  );

/** The different combinations of the key fields, which of them each row has, and in which hours each was. */
function keysOf({ length, times, columns }: RowTable): Combined & { readonly hours: Uint32Array } {
  const known = combinations(length);
  const own = keyFields.map((field) => columns[placeOf(field)]!);
  const [a, b, c, d, e, f] = own.map(({ codes }) => codes) as Six;
  const codes = new Uint32Array(length);
  const hours = new Uint32Array(length);
  for (let row = 0; row < length; row += 1) {
    const key = known.of(a[row]!, b[row]!, c[row]!, d[row]!, e[row]!, f[row]!, 0);
    codes[row] = key;
    hours[key]! |= hourBit(times[row]!);
  }
  const fields = own.map(({ values }, place) => ({ values, codes: known.column(place) }));
  return { length: known.size(), fields, codes, hours };
}
type Six = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/** So many combinations of the other fields are not too many to make room for at first. */
const LIKELY = 1000;
/** As many fields as are combined at once. */
const AT_ONCE = 7;

/** The different combinations of all other fields. */
function restOf({ length, columns }: RowTable): Combined {
  const own = restFields.map((field) => columns[placeOf(field)]!);
  // Most of them have one value in all rows and tell no row from another.
  const several = own.filter(({ values }) => values.length > 1);
  const { codes, size, of } = combined(
    several.map((column) => column.codes),
    length,
  );
  const fields = own.map((column) => {
    const place = several.indexOf(column);
    return { values: column.values, codes: place === -1 ? new Uint32Array(size) : of(place) };
  });
  return { length: size, fields, codes };
}

type CombinedCodes = {
  readonly codes: Uint32Array;
  readonly size: number;
  /** The code of each combination in one of the columns. */
  readonly of: (place: number) => Uint32Array;
};

function combined(columns: readonly Uint32Array[], length: number): CombinedCodes {
  const known = combinations(LIKELY);
  const codes = new Uint32Array(length);
  const others = columns.length > AT_ONCE ? combined(columns.slice(AT_ONCE - 1), length) : undefined;
  const none = new Uint32Array(length);
  const [a = none, b = none, c = none, d = none, e = none, f = none, g = none] = others
    ? [...columns.slice(0, AT_ONCE - 1), others.codes]
    : columns;
  for (let row = 0; row < length; row += 1)
    codes[row] = known.of(a[row]!, b[row]!, c[row]!, d[row]!, e[row]!, f[row]!, g[row]!);
  return {
    codes,
    size: known.size(),
    of(place) {
      if (!others || place < AT_ONCE - 1) return known.column(place);
      const ofOthers = others.of(place - AT_ONCE + 1);
      return known.column(AT_ONCE - 1).map((code) => ofOthers[code]!);
    },
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
export function tableOf(parts: PackedBlock, dayStart: number): RowTable {
  const spots = openColumns(parts.spots);
  const { length } = spots;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  const at = spotsIn(spots, dayStart);
  for (let row = 0; row < length; row += 1) {
    const { time, sequence } = at(row);
    times[row] = time;
    sequences[row] = sequence;
  }
  const combined = (part: Uint8Array, names: readonly string[], ofRows: Codes) => {
    const open = openColumns(part);
    return names.map((name) => {
      const column = open.column(name);
      const codes = column.codes();
      const own = new Uint32Array(length);
      for (let row = 0; row < length; row += 1) own[row] = codes[ofRows[row]!]!;
      return { values: column.values(), codes: own };
    });
  };
  const domain = {
    values: openColumns(parts.names).column('domain').values(),
    codes: new Uint32Array(spots.column('domain').codes()),
  };
  const keys = combined(parts.keys, keyFields, spots.column('key').codes());
  const rest = combined(parts.rest, restFields, spots.column('rest').codes());
  return { length, times, sequences, columns: [domain, ...keys, ...rest] };
}
