import type { Value } from '../segments/columns.ts';
import { createDictionary, type Dictionary, encodeValue } from '../segments/dictionary-encoder.ts';
import type { EncodedTuples } from '../segments/row.ts';
import { createTuples, encodeTuple } from '../segments/tuples.ts';

const FIRST_ROOM = 64;

/** Assigns ids to pairs of ids and stores the field values of each pair. */
export type PairTable = {
  readonly of: (one: number, other: number) => number;
  readonly size: () => number;
  /** All tuples. */
  readonly all: () => Omit<EncodedTuples, 'codes'>;
  readonly valuesOf: (number: number) => readonly Value[];
};

export function createPairTable(
  fieldCount: number,
  valuesFrom: (one: number, other: number) => readonly (Value | undefined)[],
): PairTable {
  const known = createTuples(2);
  const fields = Array.from({ length: fieldCount }, (): { numbers: Dictionary; codes: Uint32Array } => ({
    numbers: createDictionary(),
    codes: new Uint32Array(FIRST_ROOM),
  }));
  const put = (place: number, number: number, value: Value): void => {
    const own = fields[place]!;
    if (number === own.codes.length) {
      const larger = new Uint32Array(number * 2);
      larger.set(own.codes);
      own.codes = larger;
    }
    own.codes[number] = encodeValue(own.numbers, value);
  };
  let latest = { one: -1, other: -1, number: 0 };
  return {
    of(one, other) {
      if (latest.one === one && latest.other === other) return latest.number;
      known.input[0] = one;
      known.input[1] = other;
      const before = known.size;
      const number = encodeTuple(known);
      if (number === before)
        for (const [place, value] of valuesFrom(one, other).entries()) put(place, number, value ?? null);
      latest = { one, other, number };
      return number;
    },
    size: () => known.size,
    all: () => ({
      length: known.size,
      fields: fields.map(({ numbers, codes }) => ({ values: numbers.values, codes })),
    }),
    valuesOf: (number) => fields.map(({ numbers, codes }) => numbers.values[codes[number]!]!),
  };
}
