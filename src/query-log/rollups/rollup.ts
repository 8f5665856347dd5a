import { type BucketUnit, bucketStart, unitRules } from '../../domain/statistics.ts';
import { packColumns, type Value } from '../segments/columns.ts';
import { createDictionary, type Dictionary } from '../segments/dictionary-encoder.ts';
import { openColumns } from '../segments/open-columns.ts';
import { type Combinations, combinationColumn, combinationOf, combinations } from '../segments/tuple-dictionary.ts';
import { encodeValues, usedValues } from '../segments/tuples.ts';

/** What counts are kept by, beside time: the first five key fields of a row in their order, and the domain. */
export const rollupFields = ['device', 'dnsServer', 'responseCountry', 'companyId', 'category', 'domain'] as const;
export type RollupField = (typeof rollupFields)[number];

/** Counts, one cell for each combination that was met. `slots` is the bucket within the tally, `last` counts from `start`. */
export type RollupRows = {
  readonly start: number;
  readonly length: number;
  readonly slots: ArrayLike<number>;
  readonly fields: readonly { readonly values: readonly Value[]; readonly codes: ArrayLike<number> }[];
  readonly queries: ArrayLike<number>;
  readonly blocked: ArrayLike<number>;
  readonly last: ArrayLike<number>;
};

type RollupLimit = {
  /** The unit whose buckets are kept together. One tally of an hour's minutes is written sooner than sixty. */
  readonly keptBy: BucketUnit;
  readonly maxCells: number;
};

const rollupLimits: Readonly<Record<BucketUnit, RollupLimit>> = {
  minute: { keptBy: 'hour', maxCells: 4096 },
  hour: { keptBy: 'hour', maxCells: 2048 },
  day: { keptBy: 'day', maxCells: 4096 },
};

export const rollupStart = (unit: BucketUnit, time: number): number => bucketStart(rollupLimits[unit].keptBy, time);

/** Cells of one tally that stand together. */
type Run = { readonly start: number; readonly from: number; readonly to: number };

/** Cells of a tally belong to one of the next unit. */
function runsOf({ start, last, length }: RollupRows, unit: BucketUnit): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < length; ) {
    const first = rollupStart(unit, start + last[from]!);
    const end = first + unitRules[rollupLimits[unit].keptBy].ms;
    let to = from + 1;
    while (to < length && start + last[to]! >= first && start + last[to]! < end) to += 1;
    runs.push({ start: first, from, to });
    from = to;
  }
  return runs;
}

/** What is counted in smaller units as tallies of this one. */
export function rollupsOf(news: readonly RollupRows[], unit: BucketUnit): readonly RollupRows[] {
  const sums = new Map<number, Counting>();
  const most = news.reduce((sum, { length }) => sum + length, 0);
  for (const rollup of news)
    for (const { start, from, to } of runsOf(rollup, unit)) {
      const sum = sums.get(start) ?? counting(start, unit, news.length === 1 ? to - from : most);
      sums.set(start, sum);
      addCells(sum, rollup, from, to);
    }
  return Array.from(sums.values(), countedCells);
}

/** What is known already and what is new, no larger than a tally of this unit may be. */
export function mergedRollup(unit: BucketUnit, known: RollupRows | undefined, news: RollupRows): RollupRows {
  if (!known) return bounded(news, unit);
  const sum = counting(news.start, unit, news.length + known.length);
  addCells(sum, known, 0, known.length);
  addCells(sum, news, 0, news.length);
  return bounded(countedCells(sum), unit);
}

/** A tally that cells of others are added to. */
type Counting = {
  readonly start: number;
  readonly unit: BucketUnit;
  readonly known: Combinations;
  readonly sums: CellSums;
  dictionaries: readonly Dictionary[] | undefined;
};

const counting = (start: number, unit: BucketUnit, maxCells: number): Counting => ({
  start,
  unit,
  known: combinations(maxCells),
  sums: emptySums(maxCells),
  dictionaries: undefined,
});

function addCells(counted: Counting, from: RollupRows, first: number, end: number): void {
  const { known, sums, unit, dictionaries } = counted;
  // The numbers of what comes first are taken as they are.
  counted.dictionaries ??= from.fields.map(({ values }) => createDictionary(values));
  const [a, b, c, d, e, f] = from.fields.map(({ values, codes }, field) => ({
    codes,
    to: dictionaries ? encodeValues(values, dictionaries[field]!) : sameNumbers(values.length),
  })) as readonly Part[] as [Part, Part, Part, Part, Part, Part];
  const offset = from.start - counted.start;
  for (let at = first; at < end; at += 1) {
    const cell = combinationOf(
      known,
      unit === 'minute' ? from.slots[at]! : 0,
      a.to[a.codes[at]!]!,
      b.to[b.codes[at]!]!,
      c.to[c.codes[at]!]!,
      d.to[d.codes[at]!]!,
      e.to[e.codes[at]!]!,
      f.to[f.codes[at]!]!,
    );
    addCell(sums, cell, from, at, offset);
  }
}

const countedCells = ({ start, known, sums, dictionaries }: Counting): RollupRows => ({
  start,
  ...cellsFrom(known, (place) => dictionaries?.[place]?.values ?? []),
  ...firstSums(sums, known.size),
});

type Part = { readonly codes: ArrayLike<number>; readonly to: Uint32Array };

const sameNumbers = (count: number): Uint32Array => {
  const numbers = new Uint32Array(count);
  for (let place = 0; place < count; place += 1) numbers[place] = place;
  return numbers;
};

// What is given up first is what most combinations differ in. Sums stay exact: a cell loses a name, never a count.
const droppedDimensions: readonly RollupField[] = ['domain', 'companyId', 'responseCountry', 'device'];

/** Cells beyond what there is room for, fewest queries first, are counted without domain; if need be without more. */
export function bounded(rollup: RollupRows, unit: BucketUnit): RollupRows {
  const { maxCells } = rollupLimits[unit];
  return droppedDimensions.reduce(
    // Half the room is left free, or the next rows would bring all this work again.
    (left, field) => (left.length <= maxCells ? left : without(left, field, largest(left, maxCells / 2))),
    rollup,
  );
}

/** Marks the cells with most queries, so many of them. */
export function largest({ queries, length }: Pick<RollupRows, 'queries' | 'length'>, count: number): Uint8Array {
  const { least, ofLeast } = leastOfLargest(queries, length, count);
  let leastLeft = ofLeast;
  const isLarge = new Uint8Array(length);
  for (let cell = 0; cell < length; cell += 1) {
    if (queries[cell]! < least) continue;
    if (queries[cell] === least) leastLeft -= 1;
    if (queries[cell]! > least || leastLeft >= 0) isLarge[cell] = 1;
  }
  return isLarge;
}

/** Cells with more queries are sorted, others only counted. */
const MANY_QUERIES = 256;

/** The fewest queries that one of the largest cells has, and how many cells with as many are among them. */
function leastOfLargest(queries: ArrayLike<number>, length: number, count: number) {
  const withFew = new Uint32Array(MANY_QUERIES);
  const many: number[] = [];
  for (let cell = 0; cell < length; cell += 1)
    if (queries[cell]! < MANY_QUERIES) withFew[queries[cell]!]! += 1;
    else many.push(queries[cell]!);
  if (many.length >= count) {
    const least = Uint32Array.from(many).sort()[many.length - count]!;
    return { least, ofLeast: count - many.filter((each) => each > least).length };
  }
  let [left, least] = [count - many.length, MANY_QUERIES - 1];
  while (least > 0 && withFew[least]! < left) {
    left -= withFew[least]!;
    least -= 1;
  }
  return { least, ofLeast: left };
}

/** The cells that are not kept as they are lose a field; those that differed in nothing else become one. */
function without(rollup: RollupRows, field: RollupField, isKept: Uint8Array): RollupRows {
  const blank = rollupFields.indexOf(field);
  const blankValues = [...rollup.fields[blank]!.values, null];
  const columns = rollup.fields.map(({ codes }, place) =>
    place === blank ? keptCodes(codes, isKept, blankValues.length - 1) : codes,
  );
  const [a, b, c, d, e, f] = columns as readonly ArrayLike<number>[] as Six;
  const known = combinations(rollup.length);
  const sums = emptySums(rollup.length);
  for (let cell = 0; cell < rollup.length; cell += 1) {
    const to = combinationOf(known, rollup.slots[cell]!, a[cell]!, b[cell]!, c[cell]!, d[cell]!, e[cell]!, f[cell]!);
    addCell(sums, to, rollup, cell, 0);
  }
  const valuesOf = (place: number) => (place === blank ? blankValues : rollup.fields[place]!.values);
  return { start: rollup.start, ...cellsFrom(known, valuesOf), ...firstSums(sums, known.size) };
}

function keptCodes(codes: ArrayLike<number>, isKept: Uint8Array, otherwise: number): Uint32Array {
  const left = new Uint32Array(codes);
  for (let cell = 0; cell < left.length; cell += 1) if (isKept[cell] === 0) left[cell] = otherwise;
  return left;
}

type Six = [
  ArrayLike<number>,
  ArrayLike<number>,
  ArrayLike<number>,
  ArrayLike<number>,
  ArrayLike<number>,
  ArrayLike<number>,
];

const cellsFrom = (known: Combinations, valuesOf: (place: number) => readonly Value[]) => ({
  length: known.size,
  slots: combinationColumn(known, 0),
  fields: rollupFields.map((_, place) => ({ values: valuesOf(place), codes: combinationColumn(known, place + 1) })),
});

type CellSums = Readonly<Record<'queries' | 'blocked' | 'last', Uint32Array>>;

const emptySums = (maxCells: number): CellSums => ({
  queries: new Uint32Array(maxCells),
  blocked: new Uint32Array(maxCells),
  last: new Uint32Array(maxCells),
});

function addCell(
  { queries, blocked, last }: CellSums,
  to: number,
  from: RollupRows,
  cell: number,
  offset: number,
): void {
  queries[to]! += from.queries[cell]!;
  blocked[to]! += from.blocked[cell]!;
  last[to] = Math.max(last[to]!, from.last[cell]! + offset);
}

const firstSums = ({ queries, blocked, last }: CellSums, count: number): CellSums => ({
  queries: queries.subarray(0, count),
  blocked: blocked.subarray(0, count),
  last: last.subarray(0, count),
});

// Values that no cell has any more, because it was given up, are not kept either.
export const encodeRollup = ({ length, slots, fields, queries, blocked, last }: RollupRows): Uint8Array =>
  packColumns(length, {
    slot: { codes: slots },
    ...Object.fromEntries(rollupFields.map((field, place) => [field, usedValues(fields[place]!)])),
    queries: { codes: queries },
    blocked: { codes: blocked },
    last: { codes: last },
  });

/** The values of a field are read when they are first asked for: most questions need few. */
export function openRollup(start: number, bytes: Uint8Array): RollupRows {
  const open = openColumns(bytes);
  // All of one width: loops over arrays of several kinds take many times as long.
  const codesOf = (name: string): Uint32Array => new Uint32Array(open.column(name).codes());
  const fieldOf = (name: RollupField) => {
    const column = open.column(name);
    return {
      codes: codesOf(name),
      get values() {
        return column.values();
      },
    };
  };
  return {
    start,
    length: open.length,
    slots: codesOf('slot'),
    fields: rollupFields.map(fieldOf),
    queries: codesOf('queries'),
    blocked: codesOf('blocked'),
    last: codesOf('last'),
  };
}

export const queriesIn = ({ queries, length }: RollupRows): number => {
  let sum = 0;
  for (let cell = 0; cell < length; cell += 1) sum += queries[cell]!;
  return sum;
};
