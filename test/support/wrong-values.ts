type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A value in which one member was exchanged: where, for what, and whether that is of another kind than before. */
export type Wrong = {
  readonly place: string;
  readonly value: Json;
  readonly isOtherKind: boolean;
  readonly body: Json;
};

const strangers: readonly Json[] = [
  null,
  true,
  0,
  -1.5,
  1e308,
  '',
  'x',
  '\u0000',
  [],
  [null],
  [[[]]],
  {},
  { length: 1 },
  { toString: 1, valueOf: null },
];

/** Each member of a value, exchanged for each of many other values. */
export function* wrongValues(body: Json): Generator<Wrong> {
  for (const steps of placesIn(body)) {
    const there = at(body, steps);
    for (const value of strangers) {
      yield {
        place: written(steps),
        value,
        isOtherKind: kindOf(value) !== kindOf(there),
        body: put(body, steps, value),
      };
    }
  }
}

type Steps = readonly (string | number)[];

const kindOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

const isHolder = (value: Json | undefined): value is readonly Json[] | { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null;

const stepsOf = (value: object): Steps => (Array.isArray(value) ? [...value.keys()] : Object.keys(value));

const member = (value: Json, step: string | number): Json => (value as Record<string | number, Json>)[step]!;

function placesIn(value: Json): Steps[] {
  if (!isHolder(value)) return [];
  return stepsOf(value).flatMap((step) => [[step], ...placesIn(member(value, step)).map((rest) => [step, ...rest])]);
}

const at = (value: Json, steps: Steps): Json => steps.reduce((held, step) => member(held, step), value);

function put(value: Json, [step, ...rest]: Steps, given: Json): Json {
  if (step === undefined) return given;
  const inner = put(member(value, step), rest, given);
  if (Array.isArray(value)) return (value as readonly Json[]).with(Number(step), inner);
  return { ...(value as { readonly [key: string]: Json }), [step]: inner };
}

/** As the service writes places. */
const written = (steps: Steps): string =>
  steps.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('');
