import { isObject } from '../kit/is-object.ts';

type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly unknown[];
};

/** Values of members by name. */
export type ExampleValues = Readonly<Record<string, unknown>>;

const EXAMPLE_TIME = Date.UTC(2026, 0, 15, 12);

/**
 * An example that the schema accepts: every member, one item of each array. `values` has values of strings and numbers by member name,
 * because a schema does not describe realistic strings.
 */
export function exampleOf(schema: unknown, values: ExampleValues, name = ''): unknown {
  const { type, format, properties, items, anyOf, ...rest } = (isObject(schema) ? schema : {}) as Schema;
  if (rest.const !== undefined) return rest.const;
  if (rest.enum) return rest.enum[0];
  if (anyOf) return exampleOf(anyOf[0], values, name);
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([member, part]) => [member, exampleOf(part, values, member)]),
    );
  if (type === 'array') return [exampleOf(items, values, singular(name))];
  const value = values[name];
  if (typeof value === jsonTypes[type ?? '']) return value;
  if (rest.default !== undefined) return rest.default;
  if (type === 'string') return format === 'date-time' ? new Date(EXAMPLE_TIME).toISOString() : textOf(name, rest);
  if (type === 'integer' || type === 'number')
    return name.endsWith('millis') ? EXAMPLE_TIME : Math.max(rest.minimum ?? 1, 1);
  return type === 'boolean' ? true : {};
}

const jsonTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

/** `devices` uses the values of `device`. */
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

const textOf = (name: string, { minLength = 0, maxLength = 1000 }: Schema): string =>
  (name === '' ? 'text' : name.replaceAll('_', ' ')).padEnd(minLength, 'x').slice(0, maxLength);
