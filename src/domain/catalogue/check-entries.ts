import Type, { type TObject, type TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { pointerSteps, readablePath } from '../../kit/json-pointer.ts';
import { type EntryError, nameOf } from './entry-error.ts';

/** Errors of a list whose entries must match the schema and have unique ids. */
export function checkEntries(value: unknown, path: string, entry: TObject): readonly EntryError[] {
  if (!Array.isArray(value)) return [{ path, message: `expected a list, got ${nameOf(value)}` }];
  const errors = value.flatMap((item: unknown, at) => checkEntry(item, [path, String(at)], entry));
  return errors.length > 0 ? errors : idsGivenTwice(value as readonly { readonly id: string }[], path);
}

const checkEntry = (value: unknown, start: readonly string[], entry: TObject): readonly EntryError[] =>
  Errors(entry, value)[1].flatMap((error) => {
    const steps = pointerSteps(error.instancePath);
    return entryErrors(error, entry, steps, value).map(({ path, message }) => ({
      path: readablePath([...start, ...steps, ...path]),
      message,
    }));
  });

type SchemaError = ReturnType<typeof Errors>[1][number];
type MemberError = { readonly path: readonly string[]; readonly message: string };

function entryErrors(
  { keyword, params }: SchemaError,
  entry: TObject,
  steps: readonly string[],
  value: unknown,
): readonly MemberError[] {
  if (keyword === 'required')
    return params.requiredProperties.map((name) => ({ path: [name], message: 'is missing and must be given' }));
  // The validator also reports each unknown member separately, with the keyword `boolean`.
  if (keyword === 'additionalProperties') return [];
  if (keyword === 'boolean')
    return [{ path: [], message: notKnown(steps.at(-1) ?? '', Object.keys(entry.properties)) }];
  const held = valueAt(value, steps);
  if (keyword === 'minItems' || isBlank(held)) return [{ path: [], message: 'must not be empty' }];
  const expected =
    keyword === 'enum' ? `one of ${params.allowedValues.join(', ')}` : schemaAt(entry, steps).description;
  return [{ path: [], message: `expected ${expected}, got ${nameOf(held)}` }];
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const valueAt = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce((held: unknown, step) => (held as Readonly<Record<string, unknown>>)[step], value);

const schemaAt = (entry: TSchema, steps: readonly string[]): { readonly description?: string } =>
  steps.reduce((schema: TSchema, step) => {
    if (Type.IsObject(schema)) return schema.properties[step]!;
    return Type.IsArray(schema) ? schema.items : schema;
  }, entry);

function notKnown(key: string, validKeys: readonly string[]): string {
  const suggestion = didYouMean(key, validKeys);
  return `is not known; ${suggestion ? `did you mean "${suggestion}"?` : `known are ${validKeys.join(', ')}`}`;
}

function idsGivenTwice(entries: readonly { readonly id: string }[], path: string): readonly EntryError[] {
  const first = new Map<string, number>();
  return entries.flatMap(({ id }, at) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, at);
    return before === undefined
      ? []
      : [{ path: `${path}[${at}].id`, message: `"${id}" is already the id of ${path}[${before}]` }];
  });
}
