import Type, { type TObject, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { isObject } from '../../kit/is-object.ts';
import { isDomainName } from './domain-name.ts';

/** An error with its path and the expected value. */
export type EntryError = { readonly path: string; readonly message: string };

/** Collects all errors of a list of objects. */
export function checkEntries(value: unknown, path: string, schema: TObject): readonly EntryError[] {
  if (!Array.isArray(value)) return [{ path, message: `expected a list, got ${nameOf(value)}` }];
  const errors = value.flatMap((entry: unknown, at) => checkEntry(entry, `${path}[${at}]`, schema));
  return errors.length > 0 ? errors : idsGivenTwice(value as readonly { readonly id: string }[], path);
}

function checkEntry(value: unknown, path: string, { properties, required }: TObject): readonly EntryError[] {
  if (!isObject(value)) return [{ path, message: `expected an object, got ${nameOf(value)}` }];
  const missing = (required ?? [])
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => ({ path: `${path}.${key}`, message: 'is missing and must be given' }));
  const wrong = Object.entries(value).flatMap(([key, held]) => {
    const member = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const message = member ? errorOf(member, held) : notKnown(key, Object.keys(properties));
    return message === undefined ? [] : [{ path: `${path}.${key}`, message }];
  });
  return [...missing, ...wrong];
}

/** `expected` of a schema says what is valid. */
function errorOf(schema: TSchema & { readonly expected?: string }, value: unknown): string | undefined {
  if (Check(schema, value)) return undefined;
  if (Type.IsArray(schema)) {
    if (!Array.isArray(value)) return `expected a list, got ${nameOf(value)}`;
    return value.map((item: unknown) => errorOf(schema.items, item)).find(Boolean) ?? 'must not be empty';
  }
  if (typeof value === 'string' && value.trim() === '') return 'must not be empty';
  return `expected ${schema.expected}, got ${nameOf(value)}`;
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

function notKnown(key: string, known: readonly string[]): string {
  const meant = didYouMean(key, known);
  return `is not known; ${meant ? `did you mean "${meant}"?` : `known are ${known.join(', ')}`}`;
}

export const text = Type.String({ pattern: '\\S', expected: 'text' });

/** Ids are used in URLs, rules and the query log. */
export const idOfAtMost = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.+-]*$',
    expected: `up to ${maxLength} letters, digits or any of "_.+-", the first a letter or digit`,
  });

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
export const webAddress = Type.Refine(Type.String({ expected: 'an http or https address' }), isWebAddress);

export const trueOrFalse = Type.Boolean({ expected: 'true or false' });

export const oneOf = <const T extends string>(values: readonly T[]) =>
  Type.Enum([...values], { expected: `one of ${values.join(', ')}` });

export const textMatching = (pattern: RegExp, expected: string) => Type.String({ pattern: pattern.source, expected });

export const domainName = Type.Refine(
  Type.String({ expected: 'a domain name in lower case such as "example.org"' }),
  isDomainName,
);

const MAX_SHOWN = 60;

export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `"${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}"`;
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`;
}
