import { type BucketUnit, bucketStart, unitRules } from '../../domain/statistics.ts';
import { packColumns, type Value } from '../segments/columns.ts';
import { createDictionary, type Dictionary } from '../segments/dictionary-encoder.ts';
import { openColumns } from '../segments/open-columns.ts';
import { withScratch } from '../segments/scratch.ts';
import { createTupleDictionary, encodeTuple, type TupleDictionary, tupleColumn } from '../segments/tuple-dictionary.ts';
import { encodeValues, usedValues } from '../segments/tuples.ts';

/** Dimensions beside time: the first five key fields in order, and the domain. */
export const rollupFields = ['device', 'dnsServer', 'responseCountry', 'companyId', 'category', 'domain'] as const;
export type RollupField = (typeof rollupFields)[number];
/** Slot and fields. */
const CELL_WIDTH = 1 + rollupFields.length;

/** Counts, one row per tuple. `slots` is the bucket within the rollup, `last` is relative to `start`. */
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
  /** The unit whose buckets are stored together, because one rollup with 60 minutes is written faster than 60 rollups. */
  readonly storedBy: BucketUnit;
  readonly maxCells: number;
};

const rollupLimits: Readonly<Record<BucketUnit, RollupLimit>> = {
  minute: { storedBy: 'hour', maxCells: 4096 },
  hour: { storedBy: 'hour', maxCells: 2048 },
  day: { storedBy: 'day', maxCells: 4096 },
};

export const rollupStart = (unit: BucketUnit, time: number): number => bucketStart(rollupLimits[unit].storedBy, time);

/** Adjacent rows of one target rollup. */
type Run = { readonly start: number; readonly from: number; readonly to: number };

/** Splits the rows by rollup of the next unit. */
function runsOf({ start, last, length }: RollupRows, unit: BucketUnit): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < length; ) {
    const first = rollupStart(unit, start + last[from]!);
    const end = first + unitRules[rollupLimits[unit].storedBy].ms;
    let to = from + 1;
    while (to < length && start + last[to]! >= first && start + last[to]! < end) to += 1;
    runs.push({ start: first, from, to });
    from = to;
  }
  return runs;
}

/** Merges rollups of smaller units into this one. */
export function rollupsOf(added: readonly RollupRows[], unit: BucketUnit): readonly RollupRows[] {
  const runs = added.flatMap((rollup) => runsOf(rollup, unit).map((run) => ({ rollup, ...run })));
  return Array.from(
    Map.groupBy(runs, ({ start }) => start),
    ([start, ofStart]) => {
      const sum = counting(
        start,
        unit,
        ofStart.reduce((cells, { from, to }) => cells + to - from, 0),
      );
      for (const { rollup, from, to } of ofStart) addCells(sum, rollup, from, to);
      return countedCells(sum);
    },
  );
}

/** Merges stored and new counts within the limit of the unit. */
export function mergedRollup(unit: BucketUnit, existing: RollupRows | undefined, added: RollupRows): RollupRows {
  if (!existing) return bounded(added, unit);
  const sum = counting(added.start, unit, added.length + existing.length);
  addCells(sum, existing, 0, existing.length);
  addCells(sum, added, 0, added.length);
  return bounded(countedCells(sum), unit);
}

/** A rollup under construction. */
type Counting = {
  readonly start: number;
  readonly unit: BucketUnit;
  readonly cells: TupleDictionary;
  readonly sums: CellSums;
  dictionaries: readonly Dictionary[] | undefined;
};

const counting = (start: number, unit: BucketUnit, maxCells: number): Counting => ({
  start,
  unit,
  cells: createTupleDictionary(CELL_WIDTH, maxCells),
  sums: emptySums(maxCells),
  dictionaries: undefined,
});

function addCells(counted: Counting, from: RollupRows, first: number, end: number): void {
  const { cells, sums, unit, dictionaries } = counted;
  // The codes of the first rollup are reused.
  counted.dictionaries ??= from.fields.map(({ values }) => createDictionary(values));
  const fields = from.fields.map(({ values, codes }, field) => ({
    codes,
    to: dictionaries ? encodeValues(values, dictionaries[field]!) : sameNumbers(values.length),
  }));
  const offset = from.start - counted.start;
  for (let at = first; at < end; at += 1) {
    cells.input[0] = unit === 'minute' ? from.slots[at]! : 0;
    for (let field = 0; field < fields.length; field += 1) {
      const { codes, to } = fields[field]!;
      cells.input[field + 1] = to[codes[at]!]!;
    }
    addCell(sums, encodeTuple(cells), from, at, offset);
  }
}

const countedCells = ({ start, cells, sums, dictionaries }: Counting): RollupRows => ({
  start,
  ...cellsFrom(cells, (column) => dictionaries?.[column]?.values ?? []),
  ...firstSums(sums, cells.size),
});

const sameNumbers = (count: number): Uint32Array => {
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) numbers[index] = index;
  return numbers;
};

// The dimension with the most values is dropped first. Sums stay exact: a row loses a value, never a count.
const droppedDimensions: readonly RollupField[] = ['domain', 'companyId', 'responseCountry', 'device'];

/** Drops the domain of the rows with the fewest queries, and more dimensions if needed, until the rollup fits. */
export function bounded(rollup: RollupRows, unit: BucketUnit): RollupRows {
  const { maxCells } = rollupLimits[unit];
  return droppedDimensions.reduce(
    // Keeps half of the limit, so that the next rows do not cause another pass.
    (left, field) => (left.length <= maxCells ? left : without(left, field, largest(left, maxCells / 2))),
    rollup,
  );
}

/** Flags the `count` rows with the most queries. */
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

/** Counts below this are bucketed, others sorted. */
const MANY_QUERIES = 256;

/** Cut-off for the top `count` rows: the smallest count included, and how many ties to include. */
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

/** Removes a field from the rows that are not kept, and merges rows that become equal. */
function without(rollup: RollupRows, field: RollupField, isKept: Uint8Array): RollupRows {
  const blank = rollupFields.indexOf(field);
  const blankValues = [...rollup.fields[blank]!.values, null];
  const columns = rollup.fields.map(({ codes }, index) =>
    index === blank ? keptCodes(codes, isKept, blankValues.length - 1) : codes,
  );
  const cells = createTupleDictionary(CELL_WIDTH, rollup.length);
  const sums = emptySums(rollup.length);
  for (let cell = 0; cell < rollup.length; cell += 1) {
    cells.input[0] = rollup.slots[cell]!;
    for (let index = 0; index < columns.length; index += 1) cells.input[index + 1] = columns[index]![cell]!;
    addCell(sums, encodeTuple(cells), rollup, cell, 0);
  }
  const valuesOf = (column: number) => (column === blank ? blankValues : rollup.fields[column]!.values);
  return { start: rollup.start, ...cellsFrom(cells, valuesOf), ...firstSums(sums, cells.size) };
}

function keptCodes(codes: ArrayLike<number>, isKept: Uint8Array, otherwise: number): Uint32Array {
  const left = new Uint32Array(codes);
  for (let cell = 0; cell < left.length; cell += 1) if (isKept[cell] === 0) left[cell] = otherwise;
  return left;
}

const cellsFrom = (cells: TupleDictionary, valuesOf: (column: number) => readonly Value[]) => ({
  length: cells.size,
  slots: tupleColumn(cells, 0),
  fields: rollupFields.map((_, index) => ({ values: valuesOf(index), codes: tupleColumn(cells, index + 1) })),
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

// Values that no row uses are not stored.
export const encodeRollup = ({ length, slots, fields, queries, blocked, last }: RollupRows): Uint8Array =>
  withScratch(() =>
    packColumns(length, {
      slot: { codes: slots },
      ...Object.fromEntries(rollupFields.map((field, index) => [field, usedValues(fields[index]!)])),
      queries: { codes: queries },
      blocked: { codes: blocked },
      last: { codes: last },
    }),
  );

/** Values of a field are decoded on first access, because most queries need few. */
export function openRollup(start: number, bytes: Uint8Array): RollupRows {
  const open = openColumns(bytes);
  // Always the same array type, because loops over several typed-array types are many times slower.
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
