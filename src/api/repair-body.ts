import type { SchemaFault } from '../http/check-body.ts';
import { isObject } from '../kit/is-object.ts';

type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

export type Repaired = {
  readonly value: unknown;
  /** Paths whose errors of meaning may follow from the repair: an operation must not report them. */
  readonly doubtful: readonly string[];
};

/**
 * A body with the right types, so that an operation can look for errors of meaning in the rest of it: wrong members are left out, and
 * required ones get a placeholder. A member with fixed values says what the others beside it mean, so those become doubtful.
 */
export function repairBody(schema: object, body: unknown, faults: readonly SchemaFault[]): Repaired {
  const wrong = new Set(faults.filter(isWrong).map(({ path }) => path));
  const missing = faults.flatMap(({ path, missing: names }) => names.map((name) => joined(path, name)));
  const faulty = new Set([...wrong, ...missing]);
  const doubtful = [...faulty];

  const repaired = (part: Schema, value: unknown, path: string): unknown => {
    if (wrong.has(path)) return undefined;
    if (Array.isArray(value))
      // Positions stay: they are part of the paths of errors.
      return value.map(
        (item, at) => repaired(part.items ?? {}, item, `${path}[${at}]`) ?? placeholder(part.items ?? {}),
      );
    return isObject(value) && part.properties ? repairedMembers(part, value, path) : value;
  };
  const repairedMembers = (part: Schema, value: Readonly<Record<string, unknown>>, path: string): object => {
    const members: Record<string, unknown> = { ...value };
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const at = joined(path, name);
      if (!faulty.has(at) && !(name in value)) continue;
      if (faulty.has(at) && hasFixedValues(member)) doubtful.push(path);
      const content =
        repaired(member, value[name], at) ?? (part.required?.includes(name) ? placeholder(member) : undefined);
      if (content === undefined) delete members[name];
      else members[name] = content;
    }
    return members;
  };
  return { value: repaired(schema, body, ''), doubtful };
}

/** Whether a path is one of these, or within one of them. */
export const isWithin = (field: string, paths: readonly string[]): boolean =>
  paths.some((path) => path === '' || field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`));

const isWrong = ({ missing, isLength }: SchemaFault): boolean => missing.length === 0 && !isLength;

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const hasFixedValues = (schema: Schema): boolean => schema.enum !== undefined || schema.const !== undefined;

function placeholder(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const { properties = {}, required = [] } = schema;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, placeholder(properties[name] ?? {})]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'string':
      return 'x';
    default:
      return 1;
  }
}
