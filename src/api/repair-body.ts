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
  /** Bodies with the other values of members with fixed values. */
  readonly alternatives: readonly unknown[];
  /** Paths whose errors may be caused by the repair. Errors of the operation at these paths are not reported. */
  readonly uncertainPaths: readonly string[];
};

/** If a wrong member has more fixed values than this, its sibling paths are uncertain. */
const MAX_VARIANTS = 12;

/**
 * Builds a body with the right types, so that the operation can check the rest of it: wrong members are left out, and required ones get a
 * placeholder. The value of a member with fixed values may affect the meaning of its siblings, so there is one body for each of its values.
 * An error of all these bodies is an error of the request.
 */
export function repairBody(schema: object, body: unknown, faults: readonly SchemaFault[]): Repaired {
  const { variants, ...first } = repairVariant(schema, body, faults, 0);
  const others = Array.from({ length: variants - 1 }, (_, at) => repairVariant(schema, body, faults, at + 1).value);
  return { ...first, alternatives: others };
}

function repairVariant(schema: Schema, body: unknown, faults: readonly SchemaFault[], variant: number) {
  const wrong = new Set(faults.filter(isWrong).map(({ path }) => path));
  const missing = faults.flatMap(({ path, missing: names }) => names.map((name) => joined(path, name)));
  const faulty = new Set([...wrong, ...missing]);
  const uncertainPaths = [...faulty];
  let variants = 1;

  const repaired = (part: Schema, value: unknown, path: string): unknown => {
    if (wrong.has(path)) return undefined;
    if (Array.isArray(value))
      // Keeps positions, which are part of error paths.
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
      const isRequired = part.required?.includes(name) ?? false;
      const choices = faulty.has(at) ? choicesOf(member, isRequired) : [];
      if (choices.length > MAX_VARIANTS) uncertainPaths.push(path);
      else variants = Math.max(variants, choices.length);
      const content =
        choices.length > 0
          ? choices[variant % choices.length]
          : (repaired(member, value[name], at) ?? (isRequired ? placeholder(member) : undefined));
      if (content === undefined) delete members[name];
      else members[name] = content;
    }
    return members;
  };
  return { value: repaired(schema, body, ''), uncertainPaths, variants };
}

/** Values of a member with fixed values; undefined if it may be absent. */
function choicesOf(schema: Schema, isRequired: boolean): readonly unknown[] {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  return values.length > 0 && !isRequired ? [undefined, ...values] : values;
}

/** Whether a path is one of these, or within one of them. */
export const isWithin = (field: string, paths: readonly string[]): boolean =>
  paths.some((path) => path === '' || field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`));

const isWrong = ({ missing, isLength }: SchemaFault): boolean => missing.length === 0 && !isLength;

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

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
