import type { Value } from './columns.ts';

/** Distinct values; the code of a value is its index. */
export type Dictionary = {
  readonly values: Value[];
  codeByValue: Map<Value, number> | undefined;
  // Columns often repeat the same value.
  latest: Value | undefined;
  latestNumber: number;
};

const MANY_VALUES = 9;

/** `first`: distinct values with their codes. */
export const createDictionary = (first: readonly Value[] = []): Dictionary => ({
  values: [...first],
  codeByValue: undefined,
  latest: undefined,
  latestNumber: 0,
});

/** The code of a value, in order of first occurrence. */
export function encodeValue(of: Dictionary, value: Value): number {
  if (value === of.latest) return of.latestNumber;
  const { values } = of;
  // For few values a linear search is faster than building a Map.
  if (!of.codeByValue && values.length >= MANY_VALUES)
    of.codeByValue = new Map(values.map((each, index) => [each, index]));
  let number = of.codeByValue ? (of.codeByValue.get(value) ?? -1) : values.indexOf(value);
  if (number === -1) {
    number = values.push(value) - 1;
    of.codeByValue?.set(value, number);
  }
  of.latest = value;
  of.latestNumber = number;
  return number;
}
