import type { TSchema } from 'typebox';

type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
};

/**
 * The value without optional members that are null: some generated clients send every member, null if it is not set.
 * Required members that are null are kept, so that validation rejects them.
 */
export const dropNulls = (schema: TSchema, value: unknown): unknown => dropped(schema as Shape, value);

function dropped({ properties, required = [], items }: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return items && isObjectShape(items) ? value.map((item) => dropped(items, item)) : value;
  if (!properties || typeof value !== 'object' || value === null) return value;
  const isUnset = (name: string, member: unknown): boolean =>
    member === null && Object.hasOwn(properties, name) && !required.includes(name);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isUnset(name, member))
      .map(([name, member]) => [name, Object.hasOwn(properties, name) ? dropped(properties[name]!, member) : member]),
  );
}

// Long lists of texts, such as user rules, need no copy.
const isObjectShape = ({ properties }: Shape): boolean => properties !== undefined;
