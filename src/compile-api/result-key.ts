import { hash } from 'node:crypto';

const MAX_DEPTH = 64;
// Aliases can make a few lines of YAML into a tree that nobody lives to see the end of.
const MAX_VALUES = 1_000_000;

/** What one compilation depends on, apart from the content of its sources. */
export type Asked = {
  readonly configuration: unknown;
  readonly format: string;
  readonly explain: boolean;
  readonly compilerVersion: string;
};

/** The same for the same wish, however its members are ordered; never the same for two that differ. */
export function resultKey({ configuration, format, explain, compilerVersion }: Asked): string {
  const parts = [compilerVersion, format, String(explain), canonicalText(configuration)];
  let text = '';
  for (const part of parts) text += withLength(part);
  // Half of a surrogate pair has no UTF-8, and hashing would take any for any other. No other text begins with a "~".
  return hash('sha256', text.isWellFormed() ? text : Buffer.from(`~${text}`, 'utf16le'));
}

/**
 * A text that two JSON values share exactly if they are deeply equal. Each value tells its own end (a text tells its length),
 * so nothing that a text contains can be taken for structure.
 */
export const canonicalText = (value: unknown): string => write(value, 0, { values: 0 });

function write(value: unknown, depth: number, walk: { values: number }): string {
  if (typeof value === 'string') return withLength(value);
  walk.values += 1;
  if (walk.values > MAX_VALUES) throw new Error(`too large for a key: more than ${MAX_VALUES} values`);
  if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH)
      throw new Error(`too deep for a key: lists and objects within each other over ${MAX_DEPTH}`);
    return Array.isArray(value) ? writeList(value, depth + 1, walk) : writeObject(value, depth + 1, walk);
  }
  return writeAtom(value);
}

function writeList(list: readonly unknown[], depth: number, walk: { values: number }): string {
  let text = '[';
  // By index: the holes of a list are no JSON either, and forEach or map would pass over them.
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
