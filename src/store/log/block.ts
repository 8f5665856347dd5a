import type { LogQuery } from '../../domain/log-query.ts';
import { type Codes, numbering, openColumns, packColumns, type Value } from './columns.ts';
import { combinations } from './combinations.ts';
import { MAX_BATCH_ROWS } from './fresh-rows.ts';
import { hourBit, type Occurring } from './occurring.ts';
import { type KeyField, keyFields, placeOf, type RowTable, restFields } from './row.ts';
import { dayOf } from './table.ts';

/**
 * A block holds thousands of rows of one account and one UTC day, newest first, in parts that are read apart:
 * `keys`, the different combinations of what filters ask for, tells whether any row can match;
 * `names`, the different domains, tells the same of a search;
 * `spots` says of each row when it was and which combination and domain are its own; `rest` is what is only shown.
 */
export const blockParts = ['keys', 'names', 'spots', 'rest'] as const;
export type BlockPart = (typeof blockParts)[number];
export type PackedBlock = Readonly<Record<BlockPart, Uint8Array>>;

/** The rows: of one day, newest first. */
export function packBlock(table: RowTable): { readonly parts: PackedBlock; readonly occurring: Occurring } {
  const { length, columns } = table;
  const keys = keysOf(table);
  const spots = spotsOf(table);
  const fields = keyFields.map((field, place) => ({
    values: columns[placeOf(field)]!.values,
    codes: keys.known.column(place),
  }));
  const domain = columns[placeOf('domain')]!;
  const parts = {
    keys: packColumns(keys.known.size(), Object.fromEntries(keyFields.map((field, place) => [field, fields[place]!]))),
    names: packColumns(0, { domain: { values: domain.values, codes: [] } }),
    spots: packColumns(length, {
      ...spots,
      key: { codes: keys.codes },
      domain: { codes: domain.codes },
    }),
    rest: packColumns(length, Object.fromEntries(restFields.map((field) => [field, columns[placeOf(field)]!]))),
  };
  return { parts, occurring: { length: keys.known.size(), fields, hours: keys.hours, givenUp: [] } };
}

/** When each row was, in which batch it came and at which place of it. */
function spotsOf({ length, times, sequences }: RowTable) {
  const [time, batch, place] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
  const batches = numbering();
  const day = dayOf(times[0]!);
  for (let row = 0; row < length; row += 1) {
    const number = Math.floor(sequences[row]! / MAX_BATCH_ROWS);
    time[row] = times[row]! - day;
    batch[row] = batches.of(number);
    place[row] = sequences[row]! - number * MAX_BATCH_ROWS;
  }
  return { time: { codes: time }, batch: { codes: batch, values: batches.values }, place: { codes: place } };
}

/** The different combinations of the key fields, which of them each row has, and in which hours each was. */
function keysOf({ length, times, columns }: RowTable) {
  const known = combinations(length);
  const [a, b, c, d, e, f] = keyFields.map((field) => columns[placeOf(field)]!.codes) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  const codes = new Uint32Array(length);
  const hours = new Uint32Array(length);
  for (let row = 0; row < length; row += 1) {
    const key = known.of(a[row]!, b[row]!, c[row]!, d[row]!, e[row]!, f[row]!, 0);
    codes[row] = key;
    hours[key]! |= hourBit(times[row]!);
  }
  return { known, codes, hours };
}

// Companies come last: they have by far the most values to read, and often nothing is left to ask by then.
const askedOf: readonly (readonly [KeyField, keyof LogQuery])[] = [
  ['device', 'devices'],
  ['dnsServer', 'dnsServers'],
  ['status', 'statuses'],
  ['category', 'categories'],
  ['responseCountry', 'countries'],
  ['companyId', 'companies'],
];

export type Wanted = readonly [KeyField, ReadonlySet<Value>];

/** What a query asks of the key fields; empty when it asks nothing. */
export const wantedKeys = (query: LogQuery): readonly Wanted[] =>
  askedOf.flatMap(([field, name]) => {
    const values = query[name] as readonly string[] | undefined;
    return values && values.length > 0 ? [[field, new Set<Value>(values)] as const] : [];
  });

/** Which combinations of a block are wanted; undefined when none is. */
export function matchingKeys(part: Uint8Array, wanted: readonly Wanted[]): Uint8Array | undefined {
  const keys = openColumns(part, 'unproven');
  // A value that is not among those written is in no row; to know that, nothing has to be read.
  for (const [field, set] of wanted) {
    const written = keys.written(field);
    if (!set.values().some((value) => written.includes(JSON.stringify(value)))) return undefined;
  }
  const matches = new Uint8Array(keys.length).fill(1);
  for (const [field, set] of wanted) {
    const isWanted = keys.values(field).map((value) => (set.has(value) ? 1 : 0));
    const codes = new Uint32Array(keys.codes(field));
    let found = 0;
    for (let key = 0; key < matches.length; key += 1) found |= matches[key]! &= isWanted[codes[key]!]!;
    if (found === 0) return undefined;
  }
  return matches;
}

/** Which domains of a block contain the text; undefined when none does. */
export function matchingNames(part: Uint8Array, search: string): Uint8Array | undefined {
  const names = openColumns(part, 'unproven');
  // A text that is not in the list as it is written is in none of its names; to know that, nothing has to be read.
  if (!names.written('domain').includes(JSON.stringify(search).slice(1, -1))) return undefined;
  const matches = new Uint8Array(names.values('domain').map((name) => ((name as string).includes(search) ? 1 : 0)));
  return matches.includes(1) ? matches : undefined;
}

type Spot = { readonly time: number; readonly sequence: number; readonly row: number };
export type Spots = {
  readonly length: number;
  readonly at: (row: number) => Spot;
  readonly keys: Codes;
  readonly domains: Codes;
};

export function openSpots(part: Uint8Array, dayStart: number): Spots {
  const spots = openColumns(part);
  const [times, places] = [spots.codes('time'), spots.codes('place')];
  const [batches, batchCodes] = [spots.values('batch') as readonly number[], spots.codes('batch')];
  return {
    length: spots.length,
    keys: spots.codes('key'),
    domains: spots.codes('domain'),
    at: (row) => ({
      time: dayStart + times[row]!,
      sequence: batches[batchCodes[row]!]! * MAX_BATCH_ROWS + places[row]!,
      row,
    }),
  };
}

/** Reads rows of a block by their numbers: the values of all fields, in their order. */
export function rowReader(parts: PackedBlock): (row: number) => readonly Value[] {
  const { domain, keys, rest, keyCodes } = openBlock(parts);
  return (row) => [
    domain.values[domain.codes[row]!]!,
    ...keys.map(({ values, codes }) => values[codes[keyCodes[row]!]!]!),
    ...rest.map(({ values, codes }) => values[codes[row]!]!),
  ];
}

/** All rows of a block again. */
export function tableOf(parts: PackedBlock, dayStart: number): RowTable {
  const { domain, keys, rest, keyCodes, spots } = openBlock(parts);
  const { length } = spots;
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  const open = openSpots(parts.spots, dayStart);
  for (let row = 0; row < length; row += 1) {
    const { time, sequence } = open.at(row);
    times[row] = time;
    sequences[row] = sequence;
  }
  const whole = ({ values, codes }: OpenColumn) => ({ values, codes: new Uint32Array(codes) });
  const byKey = ({ values, codes }: OpenColumn) => {
    const own = new Uint32Array(length);
    for (let row = 0; row < length; row += 1) own[row] = codes[keyCodes[row]!]!;
    return { values, codes: own };
  };
  return { length, times, sequences, columns: [whole(domain), ...keys.map(byKey), ...rest.map(whole)] };
}

type OpenColumn = { readonly values: readonly Value[]; readonly codes: Codes };

function openBlock(parts: PackedBlock) {
  const columnsOf = (part: Uint8Array, fields: readonly string[]): OpenColumn[] => {
    const open = openColumns(part);
    return fields.map((field) => ({ values: open.values(field), codes: open.codes(field) }));
  };
  const spots = openColumns(parts.spots);
  return {
    spots,
    keyCodes: spots.codes('key'),
    domain: { values: openColumns(parts.names).values('domain'), codes: spots.codes('domain') },
    keys: columnsOf(parts.keys, keyFields),
    rest: columnsOf(parts.rest, restFields),
  };
}
