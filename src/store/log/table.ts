import type { Value } from './columns.ts';
import { numbering } from './numbering.ts';
import type { NumberedColumn, RowTable } from './row.ts';

const DAY_MS = 86_400_000;
export const dayOf = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** The rows of all tables in one, in their order. */
export function joined(tables: readonly RowTable[]): RowTable {
  if (tables.length === 1) return tables[0]!;
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const [times, sequences] = [new Float64Array(length), new Float64Array(length)];
  let end = 0;
  for (const table of tables) {
    times.set(table.times, end);
    sequences.set(table.sequences, end);
    end += table.length;
  }
  const places = tables[0]?.columns.keys() ?? [];
  return { length, times, sequences, columns: Array.from(places, (place) => joinedColumn(tables, place, length)) };
}

function joinedColumn(tables: readonly RowTable[], place: number, length: number): NumberedColumn {
  const joint = new Uint32Array(length);
  const [only] = tables[0]!.columns[place]!.values;
  // Many columns have one value and nothing else: there is nothing to translate.
  if (tables.every(({ columns }) => columns[place]!.values.length === 1 && columns[place]!.values[0] === only))
    return { values: [only!], codes: joint };
  const { values, of } = numbering();
  let row = 0;
  for (const { columns, length: rows } of tables) {
    const { codes, values: own } = columns[place]!;
    const to = new Uint32Array(own.length);
    for (let code = 0; code < own.length; code += 1) to[code] = of(own[code]!);
    for (let from = 0; from < rows; from += 1, row += 1) joint[row] = to[codes[from]!]!;
  }
  return { values, codes: joint };
}

/** Some rows of a table, in the order they are named. */
export function chosenRows({ length, times, sequences, columns }: RowTable, chosen: Uint32Array): RowTable {
  const taken = (from: Float64Array): Float64Array => {
    const to = new Float64Array(chosen.length);
    for (let row = 0; row < chosen.length; row += 1) to[row] = from[chosen[row]!]!;
    return to;
  };
  return {
    length: chosen.length,
    times: taken(times),
    sequences: taken(sequences),
    columns: columns.map(({ values, codes }) => {
      const to = new Uint32Array(chosen.length);
      if (values.length === 1) return { values, codes: to };
      for (let row = 0; row < chosen.length; row += 1) to[row] = codes[chosen[row]!]!;
      // Where all rows are taken, so are all values.
      return chosen.length === length ? { values, codes: to } : usedValues({ values, codes: to });
    }),
  };
}

/** The same column without values that no row has any more. */
export function usedValues({ values, codes }: { values: readonly Value[]; codes: ArrayLike<number> }): NumberedColumn {
  const kept: Value[] = [];
  const newCodes = new Uint32Array(codes.length);
  const codeOf = new Int32Array(values.length).fill(-1);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row]!;
    if (codeOf[code] === -1) codeOf[code] = kept.push(values[code]!) - 1;
    newCodes[row] = codeOf[code]!;
  }
  return { codes: newCodes, values: kept };
}

/** The rows of each day, newest first, in tables of at most so many rows. */
export function cutByDay(table: RowTable, maxRows: number): RowTable[] {
  const order = newestOrder(table);
  const days: Uint32Array[] = [];
  let start = 0;
  for (let end = 1; end <= order.length; end += 1)
    if (end === order.length || dayOf(table.times[order[end]!]!) !== dayOf(table.times[order[start]!]!)) {
      days.push(order.subarray(start, end));
      start = end;
    }
  return days.flatMap((rows) => {
    const size = Math.ceil(rows.length / Math.ceil(rows.length / maxRows));
    return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
      chosenRows(table, rows.subarray(part * size, (part + 1) * size)),
    );
  });
}

function newestOrder(table: RowTable): Uint32Array {
  const { length, times, sequences } = table;
  const compare = (one: number, other: number): number =>
    times[other]! - times[one]! || sequences[other]! - sequences[one]!;
  // Rows mostly come as they happened; then there is nothing to sort.
  const order = new Uint32Array(length);
  let [isSorted, isInSequence] = [true, true];
  for (let row = 0; row < length; row += 1) {
    order[row] = length - 1 - row;
    if (row === 0) continue;
    if (sequences[row - 1]! > sequences[row]!) isInSequence = false;
    if (compare(row - 1, row) < 0) isSorted = false;
  }
  if (isSorted) return order;
  return (isInSequence ? orderByTime(times) : undefined) ?? order.sort(compare);
}

const MAX_SORTED_ROWS = 2 ** 21;
const MAX_SORTED_MS = 2 ** 31;

/** Numbers that are sorted without asking anybody are sorted several times as fast. Undefined when they would be too large. */
function orderByTime(times: Float64Array): Uint32Array | undefined {
  let [first, last] = [times[0]!, times[0]!];
  for (const time of times) {
    if (time < first) first = time;
    if (time > last) last = time;
  }
  if (times.length > MAX_SORTED_ROWS || last - first > MAX_SORTED_MS) return undefined;
  const keys = new Float64Array(times.length);
  for (let row = 0; row < keys.length; row += 1)
    keys[row] = (last - times[row]!) * MAX_SORTED_ROWS + (keys.length - 1 - row);
  keys.sort();
  const order = new Uint32Array(keys.length);
  for (let place = 0; place < keys.length; place += 1)
    order[place] = keys.length - 1 - (keys[place]! % MAX_SORTED_ROWS);
  return order;
}
