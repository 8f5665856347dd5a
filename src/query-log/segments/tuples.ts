import type { Value } from './columns.ts';
import { createDictionary, type Dictionary, encodeValue } from './dictionary-encoder.ts';
import type { EncodedColumn, EncodedTuples } from './row.ts';
import { scratchUint32 } from './scratch.ts';
import { createTupleDictionary, encodeTuple, type TupleDictionary, tupleColumn } from './tuple-dictionary.ts';

/** For fewer rows it is faster not to look for equal tuples. */
const FEW_ROWS = 16;

/** Distinct tuples of the columns. */
export function encodeTuples(columns: readonly EncodedColumn[], length: number): EncodedTuples {
  if (length < FEW_ROWS) return { length, fields: columns, codes: Uint32Array.from({ length }, (_, row) => row) };
  // Columns with one value do not distinguish rows.
  const several = columns.filter(({ values }) => values.length > 1);
  const tuples = createTupleDictionary(several.length);
  const codes = new Uint32Array(length);
  for (let row = 0; row < length; row += 1) {
    for (let index = 0; index < several.length; index += 1) tuples.input[index] = several[index]!.codes[row]!;
    codes[row] = encodeTuple(tuples);
  }
  const fields = columns.map((column) => {
    const index = several.indexOf(column);
    return { values: column.values, codes: index === -1 ? new Uint32Array(tuples.size) : tupleColumn(tuples, index) };
  });
  return { length: tuples.size, fields, codes };
}

/** Merges the tuples of several tables. */
export function mergeTuples(all: readonly EncodedTuples[], length: number): EncodedTuples {
  const { fields } = all[0]!;
  const dictionaries = fields.map(() => createDictionary());
  const tuples = createTupleDictionary(fields.length);
  const codes = new Uint32Array(length);
  let row = 0;
  for (const part of all) {
    const to = translated(part, dictionaries, tuples);
    for (let from = 0; from < part.codes.length; from += 1, row += 1) codes[row] = to[part.codes[from]!]!;
  }
  const joint = dictionaries.map(({ values }, index) => ({ values, codes: tupleColumn(tuples, index) }));
  return { length: tuples.size, fields: joint, codes };
}

function translated(
  { fields, length }: EncodedTuples,
  dictionaries: readonly Dictionary[],
  tuples: TupleDictionary,
): Uint32Array {
  const numbers = fields.map(({ values }, index) => encodeValues(values, dictionaries[index]!));
  const to = new Uint32Array(length);
  for (let code = 0; code < length; code += 1) {
    for (let index = 0; index < fields.length; index += 1)
      tuples.input[index] = numbers[index]![fields[index]!.codes[code]!]!;
    to[code] = encodeTuple(tuples);
  }
  return to;
}

/** The code of each value. */
export function encodeValues(values: readonly Value[], of: Dictionary): Uint32Array {
  const numbers = new Uint32Array(values.length);
  for (let index = 0; index < values.length; index += 1) numbers[index] = encodeValue(of, values[index]!);
  return numbers;
}

/** Removes unused tuples and values; `codes` are those of the selected rows. */
export function usedTuples({ fields, length }: Omit<EncodedTuples, 'codes'>, codes: ArrayLike<number>): EncodedTuples {
  const used = compactCodes(codes, length);
  const { usedCodes } = used;
  const usedFields = fields.map(({ values, codes: all }) =>
    values.length === 1
      ? { values, codes: scratchUint32(usedCodes.length) }
      : usedValues({ values, codes: codesAt(all, usedCodes) }),
  );
  return { length: usedCodes.length, fields: usedFields, codes: used.codes };
}

/** Removes unused values. */
export function usedValues({ values, codes }: { values: readonly Value[]; codes: ArrayLike<number> }): EncodedColumn {
  if (values.length === 1) return { values, codes: scratchUint32(codes.length) };
  const used = compactCodes(codes, values.length);
  return { codes: used.codes, values: valuesAt(values, used.usedCodes) };
}

export function codesAt(codes: Uint32Array, indexes: Uint32Array): Uint32Array {
  const selected = scratchUint32(indexes.length);
  for (let at = 0; at < indexes.length; at += 1) selected[at] = codes[indexes[at]!]!;
  return selected;
}

export function valuesAt(values: readonly Value[], indexes: Uint32Array): readonly Value[] {
  const selected: Value[] = [];
  for (let at = 0; at < indexes.length; at += 1) selected.push(values[indexes[at]!]!);
  return selected;
}

/** New code plus one, per old code; all zero between calls. */
let renaming = new Uint32Array(0);

/** Renumbers codes below `count` without gaps, in order of first occurrence. */
export function compactCodes(codes: ArrayLike<number>, count: number): { codes: Uint32Array; usedCodes: Uint32Array } {
  const { length } = codes;
  const [renamed, usedCodes] = [scratchUint32(length), scratchUint32(Math.min(length, count))];
  if (renaming.length < count) renaming = new Uint32Array(2 * count);
  const to = renaming;
  let size = 0;
  for (let row = 0; row < length; row += 1) {
    const code = codes[row]!;
    if (to[code] === 0) {
      usedCodes[size] = code;
      size += 1;
      to[code] = size;
    }
    renamed[row] = to[code]! - 1;
  }
  for (let index = 0; index < size; index += 1) to[usedCodes[index]!] = 0;
  return { codes: renamed, usedCodes: usedCodes.subarray(0, size) };
}
