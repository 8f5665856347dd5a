import { readFile, stat } from 'node:fs/promises';
import { summarizeDiff } from '../compiler/diff.ts';
import { isObject } from '../kit/is-object.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import { changesPath, textPath } from './list-folder.ts';

/** Number of rules that an update has added and removed. */
export type ChangeCounts = { readonly added: number; readonly removed: number };

/** The first of these rules, in the order of the list. */
export type ChangedRules = { readonly added: readonly string[]; readonly removed: readonly string[] };

const MAX_EXAMPLES = 50;
const MAX_EXAMPLE_LENGTH = 200;
/** Total size of both texts, about two million rules. A comparison needs up to three times as much memory. */
const MAX_COMPARED_BYTES = 64 * 1024 * 1024;

type Versions = { readonly id: string; readonly before: string; readonly after: string };

/** Compares a new text with the active version and saves examples. Undefined for lists that are too large. */
export async function saveChanges(
  folder: string,
  { id, before, after }: Versions,
  text: Uint8Array,
): Promise<ChangeCounts | undefined> {
  const path = textPath(folder, id, before);
  const { size } = await stat(path);
  if (size + text.length > MAX_COMPARED_BYTES) return undefined;
  const old = await readFile(path);
  const { added, removed } = summarizeDiff(old, text, MAX_EXAMPLES);
  const examples: ChangedRules = { added: shortened(added.examples), removed: shortened(removed.examples) };
  await writeAtomic(changesPath(folder, id, after), JSON.stringify(examples));
  return { added: added.count, removed: removed.count };
}

const shortened = (rules: readonly string[]): string[] =>
  rules.map((rule) => (rule.length > MAX_EXAMPLE_LENGTH ? `${rule.slice(0, MAX_EXAMPLE_LENGTH)}…` : rule));

/** The examples are missing if the file is missing or damaged. */
export async function readChanges(folder: string, id: string, version: string): Promise<ChangedRules> {
  const text = await readFile(changesPath(folder, id, version), 'utf8').catch(() => '{}');
  const value = parseJson(text);
  return isObject(value) ? { added: strings(value['added']), removed: strings(value['removed']) } : NO_EXAMPLES;
}

const NO_EXAMPLES: ChangedRules = { added: [], removed: [] };

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
