import type { Value } from './columns.ts';

/** Different values, each known by its place among them. */
export type Dictionary = {
  readonly values: Value[];
  known: Map<Value, number> | undefined;
  // Many columns hold the same value again and again.
  latest: Value | undefined;
  latestNumber: number;
};

const MANY_VALUES = 9;

/** `first`: different values that have their numbers already. */
export const createDictionary = (first: readonly Value[] = []): Dictionary => ({
  values: [...first],
  known: undefined,
  latest: undefined,
  latestNumber: 0,
});

/** The number of a value, in the order they are met. */
export function encodeValue(of: Dictionary, value: Value): number {
  if (value === of.latest) return of.latestNumber;
  const { values } = of;
  // Most columns have so few values that looking through them is sooner done than making a Map.
  if (!of.known && values.length >= MANY_VALUES) of.known = new Map(values.map((each, place) => [each, place]));
  let number = of.known ? (of.known.get(value) ?? -1) : values.indexOf(value);
  if (number === -1) {
    number = values.push(value) - 1;
    of.known?.set(value, number);
  }
  of.latest = value;
  of.latestNumber = number;
  return number;
}
