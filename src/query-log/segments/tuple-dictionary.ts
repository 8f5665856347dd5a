import { createInterner, type Interner, UNKNOWN } from './interner.ts';

/** Distinct tuples of `width` small integers; the code of a tuple is its index. */
export type TupleDictionary = {
  readonly width: number;
  /** The tuple to look up, written by the caller. */
  readonly input: Int32Array;
  readonly size: number;
  readonly tuples: Interner;
};

/** `expected`: number of tuples that fit without growing. */
export function createTupleDictionary(width: number, expected?: number): TupleDictionary {
  const tuples = createInterner({ maxLength: width, ...(expected !== undefined && { expected }) });
  return {
    width,
    input: tuples.input,
    get size() {
      return tuples.count();
    },
    tuples,
  };
}

/** The code of the tuple in `input`, in order of first occurrence. */
export function encodeTuple({ width, tuples }: TupleDictionary): number {
  const code = tuples.find(width);
  return code === UNKNOWN ? tuples.add() : code;
}

/** One field of a tuple. */
export const tupleField = ({ tuples, width }: TupleDictionary, code: number, field: number): number =>
  tuples.words()[code * width + field]!;

/** One field of all tuples. */
export function tupleColumn({ tuples, size, width }: TupleDictionary, field: number): Uint32Array {
  const words = tuples.words();
  const column = new Uint32Array(size);
  for (let code = 0; code < size; code += 1) column[code] = words[code * width + field]!;
  return column;
}
