import type { Value } from '../segments/columns.ts';
import { createDictionary, type Dictionary, encodeValue } from '../segments/dictionary-encoder.ts';
import type { EncodedTuples } from '../segments/row.ts';
import { createTupleDictionary, encodeTuple } from '../segments/tuple-dictionary.ts';

const FIRST_ROOM = 64;

/** Assigns ids to pairs of ids and stores the field values of each pair. */
export type PairTable = {
  readonly of: (one: number, other: number) => number;
  readonly size: () => number;
  /** All tuples. */
  readonly all: () => Omit<EncodedTuples, 'codes'>;
  readonly valuesOf: (number: number) => readonly Value[];
};

/** Writes the field values of a pair into `values`, where they are `null` before. */
export type WriteValues = (one: number, other: number, values: Value[]) => void;

export function createPairTable(fieldCount: number, writeValues: WriteValues): PairTable {
  const pairs = createTupleDictionary(2);
  const fields = Array.from({ length: fieldCount }, (): { numbers: Dictionary; codes: Uint32Array } => ({
    numbers: createDictionary(),
    codes: new Uint32Array(FIRST_ROOM),
  }));
  const values = Array.from({ length: fieldCount }, (): Value => null);
  const add = (number: number, one: number, other: number): void => {
    values.fill(null);
    writeValues(one, other, values);
    for (let column = 0; column < fieldCount; column += 1) {
      const field = fields[column]!;
      if (number === field.codes.length) {
        const larger = new Uint32Array(number * 2);
        larger.set(field.codes);
        field.codes = larger;
      }
      field.codes[number] = encodeValue(field.numbers, values[column]!);
    }
  };
  // Three variables instead of an object, which would be garbage for nearly every row.
  let [latestOne, latestOther, latestNumber] = [-1, -1, 0];
  return {
    of(one, other) {
      if (latestOne === one && latestOther === other) return latestNumber;
      pairs.input[0] = one;
      pairs.input[1] = other;
      const before = pairs.size;
      const number = encodeTuple(pairs);
      if (number === before) add(number, one, other);
      latestOne = one;
      latestOther = other;
      latestNumber = number;
      return number;
    },
    size: () => pairs.size,
    all: () => ({
      length: pairs.size,
      fields: fields.map(({ numbers, codes }) => ({ values: numbers.values, codes })),
    }),
    valuesOf: (number) => fields.map(({ numbers, codes }) => numbers.values[codes[number]!]!),
  };
}
