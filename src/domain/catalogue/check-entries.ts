import { didYouMean } from '../../kit/did-you-mean.ts';
import { isObject } from '../../kit/is-object.ts';
import { isDomainName } from './domain-name.ts';

/** An error with its path and the expected value. */
export type EntryError = { readonly path: string; readonly message: string };

/** Returns the error message for a value; undefined if it is valid. */
export type Check = (value: unknown) => string | undefined;

export type Members = Readonly<Record<string, { readonly required: boolean; readonly check: Check }>>;

export const required = (check: Check) => ({ required: true, check });
export const optional = (check: Check) => ({ required: false, check });

/** Collects all errors of a list of objects. */
export function checkEntries(value: unknown, path: string, members: Members): readonly EntryError[] {
  if (!Array.isArray(value)) return [{ path, message: `expected a list, got ${nameOf(value)}` }];
  const errors = value.flatMap((entry: unknown, at) => checkEntry(entry, `${path}[${at}]`, members));
  return errors.length > 0 ? errors : idsGivenTwice(value as readonly { readonly id: string }[], path);
}

function checkEntry(value: unknown, path: string, members: Members): readonly EntryError[] {
  if (!isObject(value)) return [{ path, message: `expected an object, got ${nameOf(value)}` }];
  const missing = Object.keys(members)
    .filter((key) => members[key]!.required && !Object.hasOwn(value, key))
    .map((key) => ({ path: `${path}.${key}`, message: 'is missing and must be given' }));
  const wrong = Object.entries(value).flatMap(([key, held]) => {
    const member = Object.hasOwn(members, key) ? members[key] : undefined;
    const message = member ? member.check(held) : notKnown(key, Object.keys(members));
    return message === undefined ? [] : [{ path: `${path}.${key}`, message }];
  });
  return [...missing, ...wrong];
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

export const text: Check = (value) => {
  if (typeof value !== 'string') return `expected text, got ${nameOf(value)}`;
  return value.trim() === '' ? 'must not be empty' : undefined;
};

/** Ids are used in URLs, rules and the query log. */
export const idOfAtMost =
  (length: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= length && /^[a-z0-9][a-z0-9_.+-]*$/i.test(value)
      ? undefined
      : `expected up to ${length} letters, digits or any of "_.+-", the first a letter or digit, got ${nameOf(value)}`;

export const webAddress: Check = (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url && /^https?:$/.test(url.protocol) ? undefined : `expected an http or https address, got ${nameOf(value)}`;
};

export const trueOrFalse: Check = (value) =>
  typeof value === 'boolean' ? undefined : `expected true or false, got ${nameOf(value)}`;

export const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `expected one of ${values.join(', ')}, got ${nameOf(value)}`;

export const textMatching =
  (pattern: RegExp, wanted: string): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `expected ${wanted}, got ${nameOf(value)}`;

export const domainName: Check = (value) =>
  typeof value === 'string' && isDomainName(value)
    ? undefined
    : `expected a domain name in lower case such as "example.org", got ${nameOf(value)}`;

export const listOf =
  (check: Check, atLeast = 0): Check =>
  (value) => {
    if (!Array.isArray(value)) return `expected a list, got ${nameOf(value)}`;
    if (value.length < atLeast) return 'must not be empty';
    return value.map(check).find((message) => message !== undefined);
  };

const MAX_SHOWN = 60;

export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `"${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}"`;
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`;
}
