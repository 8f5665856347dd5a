import { DAY_MS } from '../../kit/durations.ts';
import { createDictionary } from './dictionary-encoder.ts';
import { newestOrder } from './newest-order.ts';
import { type EncodedColumn, type Latencies, type RowTable, withCodes } from './row.ts';
import { scratchUint8 } from './scratch.ts';
import { codesAt, encodeValues, mergeTuples, usedTuples, usedValues } from './tuples.ts';

export const dayOf = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/** Concatenates tables. */
export function joined(tables: readonly RowTable[]): RowTable {
  if (tables.length === 1) return tables[0]!;
  const length = tables.reduce((sum, table) => sum + table.length, 0);
  const [times, sequences, latencies] = [new Float64Array(length), new Float64Array(length), new Uint8Array(length)];
  let end = 0;
  for (const table of tables) {
    times.set(table.times, end);
    sequences.set(table.sequences, end);
    latencies.set(table.latencies, end);
    end += table.length;
  }
  return {
    length,
    times,
    sequences,
    latencies,
    names: joinedNames(tables, length),
    keys: mergeTuples(
      tables.map(({ keys }) => keys),
      length,
    ),
    rest: mergeTuples(
      tables.map(({ rest }) => rest),
      length,
    ),
  };
}

function joinedNames(tables: readonly RowTable[], length: number): EncodedColumn {
  const all = createDictionary();
  const joint = new Uint32Array(length);
  let row = 0;
  for (const { names } of tables) {
    const to = encodeValues(names.values, all);
    for (let from = 0; from < names.codes.length; from += 1, row += 1) joint[row] = to[names.codes[from]!]!;
  }
  return { values: all.values, codes: joint };
}

/** Selected rows, in the given order. */
export function chosenRows(table: RowTable, chosen: Uint32Array): RowTable {
  const { times, sequences, names, keys, rest } = table;
  const { length } = chosen;
  const positions = {
    length,
    times: timesAt(times, chosen),
    sequences: timesAt(sequences, chosen),
    latencies: latenciesAt(table.latencies, chosen),
  };
  // Selecting every row keeps every value.
  if (length === table.length)
    return {
      ...positions,
      names: withCodes(names, codesAt(names.codes, chosen)),
      keys: { ...keys, codes: codesAt(keys.codes, chosen) },
      rest: { ...rest, codes: codesAt(rest.codes, chosen) },
    };
  return {
    ...positions,
    names: usedValues({ values: names.values, codes: codesAt(names.codes, chosen) }),
    keys: usedTuples(keys, codesAt(keys.codes, chosen)),
    rest: usedTuples(rest, codesAt(rest.codes, chosen)),
  };
}

function timesAt(times: Float64Array, rows: Uint32Array): Float64Array {
  const selected = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) selected[at] = times[rows[at]!]!;
  return selected;
}

export function latenciesAt(latencies: Latencies, rows: Uint32Array): Latencies {
  const selected = scratchUint8(rows.length);
  for (let at = 0; at < rows.length; at += 1) selected[at] = latencies[rows[at]!]!;
  return selected;
}

/** Rows by day, newest first, in tables of at most `maxRows`. */
export function cutByDay(table: RowTable, maxRows: number): RowTable[] {
  const order = orderOf(table);
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

function orderOf({ times, sequences }: RowTable): Uint32Array {
  let isInSequence = true;
  for (let row = 1; row < sequences.length; row += 1) if (sequences[row - 1]! > sequences[row]!) isInSequence = false;
  if (isInSequence) return newestOrder(times);
  return Uint32Array.from(times.keys()).sort(
    (one, other) => times[other]! - times[one]! || sequences[other]! - sequences[one]!,
  );
}
