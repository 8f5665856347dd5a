/** An error with its path and the expected value. */
export type EntryError = { readonly path: string; readonly message: string };

const MAX_SHOWN = 60;

/** A value as error messages show it. */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `"${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}"`;
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`;
}
