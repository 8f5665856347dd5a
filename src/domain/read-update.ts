import type { FieldFault } from './domain-error.ts';

export type Wish<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Where faults are written down while an update is read. */
export type Faults = { add(field: string, message: string, kind?: FieldFault['kind']): void };

/** Takes a wished value over the current one; notes a fault and keeps the current one when it will not do. */
export type Read<T> = (wished: unknown, current: T, field: string, faults: Faults) => T;

/** The members of a section: their name on the wire, for faults, and how each is read. */
export type Members<T> = { readonly [K in keyof T]-?: readonly [wireName: string, read: Read<T[K]>] };

// A hundred faults tell a person enough; fifty thousand bad rules must not become fifty thousand messages.
const MAX_FAULTS = 100;

export function collectFaults(): Faults & { readonly found: readonly FieldFault[] } {
  const found: FieldFault[] = [];
  const add = (field: string, message: string, kind: FieldFault['kind'] = 'wrong value'): void => {
    if (found.length < MAX_FAULTS) found.push({ field, kind, message });
  };
  return { found, add };
}

/** Members that are absent stay as they are; members that are unknown are ignored. */
export const section =
  <T extends object>(members: Members<T>): Read<T> =>
  (wished, current, field, faults) => {
    if (!isObject(wished)) return refuse(current, field, 'must be an object', faults);
    const next: T = { ...current };
    const take = <K extends keyof T>(key: K): void => {
      const [wireName, read] = members[key];
      const value = wished[key as string];
      if (value !== undefined) next[key] = read(value, current[key], joinPath(field, wireName), faults);
    };
    for (const key of Object.keys(members)) take(key as keyof T);
    return next;
  };

export const flag: Read<boolean> = (wished, current, field, faults) =>
  typeof wished === 'boolean' ? wished : refuse(current, field, 'must be true or false', faults);

export const wholeNumber =
  (from: number, to: number): Read<number> =>
  (wished, current, field, faults) =>
    isWholeNumber(wished, from, to)
      ? wished
      : refuse(current, field, `must be a whole number from ${from} to ${to}`, faults);

export const oneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  (wished, current, field, faults) =>
    values.find((value) => value === wished) ?? refuse(current, field, `must be one of ${values.join(', ')}`, faults);

/** An array that replaces the current one; `parse` gives an item as it is kept, or undefined when it will not do. */
export const listOf =
  (parse: (text: string) => string | undefined, whatItemsAre: string): Read<readonly string[]> =>
  (wished, current, field, faults) => {
    if (!Array.isArray(wished)) return refuse(current, field, 'must be an array', faults);
    return wished.map((item: unknown, index) => {
      const parsed = typeof item === 'string' ? parse(item) : undefined;
      return parsed ?? refuse('', `${field}[${index}]`, `must be ${whatItemsAre}`, faults);
    });
  };

const joinPath = (field: string, member: string): string => (field === '' ? member : `${field}.${member}`);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isWholeNumber = (value: unknown, from: number, to: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;

export function refuse<T>(current: T, field: string, message: string, faults: Faults): T {
  faults.add(field, message);
  return current;
}
