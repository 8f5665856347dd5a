import type { Value } from './columns.ts';

/** Gives each different value a number, in the order they are met. */
export type Numbering = { readonly values: Value[]; readonly of: (value: Value) => number };

const MANY_VALUES = 9;

/** `first`: different values that have their numbers already. */
export function numbering(first: readonly Value[] = []): Numbering {
  // Most columns have so few values that looking through them is sooner done than making a Map.
  let known: Map<Value, number> | undefined;
  const values: Value[] = [...first];
  // Many columns hold the same value again and again.
  let latest: Value | undefined;
  let latestNumber = 0;
  return {
    values,
    of(value) {
      if (value === latest) return latestNumber;
      if (!known && values.length >= MANY_VALUES) known = new Map(values.map((each, place) => [each, place]));
      let number = known ? (known.get(value) ?? -1) : values.indexOf(value);
      if (number === -1) {
        number = values.push(value) - 1;
        known?.set(value, number);
      }
      latest = value;
      latestNumber = number;
      return number;
    },
  };
}
