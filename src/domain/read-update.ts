import { isObject } from '../kit/is-object.ts';
import type { FieldError } from './domain-error.ts';

export type Update<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Collects errors while an update is read. */
export type FieldErrors = { add(field: string, message: string, kind?: FieldError['kind']): void };

/** Returns the requested value if it is valid; otherwise records an error and returns the current one. */
export type Read<T> = (requested: unknown, current: T, field: string, errors: FieldErrors) => T;

/** Fields of a section: the name on the wire, for errors, and the reader. */
export type Members<T> = { readonly [K in keyof T]-?: readonly [wireName: string, read: Read<T[K]>] };

// Limits the response to a request with thousands of invalid rules.
const MAX_ERRORS = 100;

export function collectErrors(): FieldErrors & { readonly found: readonly FieldError[] } {
  const found: FieldError[] = [];
  const add = (field: string, message: string, kind: FieldError['kind'] = 'wrong value'): void => {
    if (found.length < MAX_ERRORS) found.push({ field, kind, message });
  };
  return { found, add };
}

/** Absent fields stay unchanged; unknown fields are ignored. */
export const section =
  <T extends object>(members: Members<T>): Read<T> =>
  (requested, current, field, errors) => {
    if (!isObject(requested)) return refuse(current, field, 'must be an object', errors);
    const next: T = { ...current };
    const take = <K extends keyof T>(key: K): void => {
      const [wireName, read] = members[key];
      const value = requested[key as string];
      if (value !== undefined) next[key] = read(value, current[key], joinPath(field, wireName), errors);
    };
    for (const key of Object.keys(members)) take(key as keyof T);
    return next;
  };

export const flag: Read<boolean> = (requested, current, field, errors) =>
  typeof requested === 'boolean' ? requested : refuse(current, field, 'must be true or false', errors);

export const wholeNumber =
  (from: number, to: number): Read<number> =>
  (requested, current, field, errors) =>
    isWholeNumber(requested, from, to)
      ? requested
      : refuse(current, field, `must be a whole number from ${from} to ${to}`, errors);

export const oneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  (requested, current, field, errors) =>
    values.find((value) => value === requested) ??
    refuse(current, field, `must be one of ${values.join(', ')}`, errors);

/** An array that replaces the current one; `parse` normalises an item or returns undefined if it is invalid. */
export const listOf =
  (parse: (text: string) => string | undefined, itemRequirements: string): Read<readonly string[]> =>
  (requested, current, field, errors) => {
    if (!Array.isArray(requested)) return refuse(current, field, 'must be an array', errors);
    return requested.map((item: unknown, index) => {
      const parsed = typeof item === 'string' ? parse(item) : undefined;
      return parsed ?? refuse('', `${field}[${index}]`, `must be ${itemRequirements}`, errors);
    });
  };

const joinPath = (field: string, member: string): string => (field === '' ? member : `${field}.${member}`);

export const isWholeNumber = (value: unknown, from: number, to: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;

export function refuse<T>(current: T, field: string, message: string, errors: FieldErrors): T {
  errors.add(field, message);
  return current;
}
