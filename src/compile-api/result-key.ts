import { hash } from 'node:crypto';

const MAX_DEPTH = 64;
// Aliases can expand a few lines of YAML to an enormous tree.
const MAX_VALUES = 1_000_000;

/** Everything that a result depends on besides the content of its sources. */
export type ResultRequest = {
  readonly configuration: unknown;
  readonly format: string;
  readonly explain: boolean;
  readonly onSourceError?: string;
  readonly compilerVersion: string;
};

/** Equal for equivalent jobs regardless of member order; different for different jobs. */
export function resultKey({
  configuration,
  format,
  explain,
  onSourceError = 'fail',
  compilerVersion,
}: ResultRequest): string {
  const parts = [compilerVersion, format, String(explain), canonicalText(configuration)];
  // Results of versions without this option keep their keys.
  if (onSourceError !== 'fail') parts.push(onSourceError);
  let text = '';
  for (const part of parts) text += withLength(part);
  // Lone surrogates have no UTF-8 encoding and would all hash alike. No other text starts with "~".
  return hash('sha256', text.isWellFormed() ? text : Buffer.from(`~${text}`, 'utf16le'));
}

/**
 * Canonical text: equal exactly for deeply equal JSON values. Strings are length-prefixed, so that their content cannot
 * imitate structure.
 */
export const canonicalText = (value: unknown): string => write(value, 0, { values: 0 });

function write(value: unknown, depth: number, walk: { values: number }): string {
  if (typeof value === 'string') return withLength(value);
  walk.values += 1;
  if (walk.values > MAX_VALUES) throw new Error(`too large for a key: more than ${MAX_VALUES} values`);
  if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH)
      throw new Error(`too deep for a key: lists and objects are nested deeper than ${MAX_DEPTH}`);
    return Array.isArray(value) ? writeList(value, depth + 1, walk) : writeObject(value, depth + 1, walk);
  }
  return writeAtom(value);
}

function writeList(list: readonly unknown[], depth: number, walk: { values: number }): string {
  let text = '[';
  // By index: forEach and map skip the holes of sparse arrays, which are not JSON.
  for (let at = 0; at < list.length; at++) text += write(list[at], depth, walk);
  return `${text}]`;
}

function writeObject(object: object, depth: number, walk: { values: number }): string {
  let text = '{';
  for (const key of Object.keys(object).sort())
    text += withLength(key) + write((object as Record<string, unknown>)[key], depth, walk);
  return `${text}}`;
}

const withLength = (text: string): string => `${text.length}:${text}`;

function writeAtom(value: unknown): string {
  if (value === null) return 'n';
  if (value === true) return 't';
  if (value === false) return 'f';
  if (typeof value === 'number' && Number.isFinite(value)) return `#${Object.is(value, -0) ? '-0' : value};`;
  throw new Error(`not JSON: ${typeof value === 'number' ? value : typeof value}`);
}
