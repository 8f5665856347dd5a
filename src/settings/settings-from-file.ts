import { readFile } from 'node:fs/promises';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Kind } from './setting-kinds.ts';
import { invalid, type SettingEntry, unknownSetting } from './settings-sources.ts';
import { keyOfSetting, settingGroups, settingsTable } from './settings-table.ts';

/** Reads a YAML file of settings; `name` is its name in error messages. */
export async function settingsFromFile(path: string, name: string): Promise<readonly SettingEntry[]> {
  const content = await readFile(path, 'utf8').catch((error: Error) => error);
  return content instanceof Error
    ? [invalid(name, `it cannot be read: ${content.message}`)]
    : parseSettings(content, name);
}

function parseSettings(content: string, file: string): readonly SettingEntry[] {
  const lines = new LineCounter();
  const { contents, errors } = parseDocument(content, { lineCounter: lines, prettyErrors: false });
  const lineAt = (position: number): string => `(line ${lines.linePos(position).line})`;
  // Later errors are mostly consequences of the first.
  const [first] = errors;
  if (first) return [invalid(`${file} ${lineAt(first.pos[0])}`, yamlProblem(first))];
  // The file is empty or contains only comments.
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents)) return [invalid(file, 'it must contain settings, one per line, as name: value')];
  const entriesOf = ({ items }: typeof contents, prefix = ''): readonly SettingEntry[] =>
    items.flatMap(({ key, value }) => {
      const name = prefix + (textOf(key) ?? String(key));
      if (prefix === '' && settingGroups.includes(name) && isMap(value))
        return entriesOf(value as typeof contents, `${name}-`);
      return entryOf(name, value, (node) => `${file}: ${name} ${lineAt(rangeOf(node) ?? key.range[0])}`);
    });
  return entriesOf(contents);
}

// Replaces the message of the library, which mentions its API.
const yamlProblem = ({ code, message }: { code: string; message: string }): string =>
  code === 'MULTIPLE_DOCS' ? 'it has more than one YAML document' : `it is not valid YAML: ${message}`;

function entryOf(name: string, value: unknown, locationOf: (node?: unknown) => string): SettingEntry {
  const key = keyOfSetting(name);
  if (key === undefined) return unknownSetting(locationOf(), name, String);
  if (key === 'config') return invalid(locationOf(), 'a settings file cannot refer to another one');
  const members: readonly unknown[] = isSeq(value) ? value.items : [value];
  const problem = shapeProblem(value, members, settingsTable[key].kind);
  if (problem !== undefined) return invalid(locationOf(), problem);
  const values = members.map((node) => ({ text: textOf(node) ?? '', location: locationOf(node) }));
  return { kind: 'given', key, name, location: locationOf(), spell: String, values };
}

/** Aliases and nesting are rejected, so a small file cannot expand into a large one. */
function shapeProblem(value: unknown, members: readonly unknown[], kind: Kind): string | undefined {
  const text = textOf(value);
  if (members.some(isAlias)) return 'aliases are not supported; write the value itself';
  if (kind.many && !kind.mayBeOne && text !== undefined) return `expected a list: write [${text}]`;
  if (!kind.many && isSeq(value)) return `expected one value, not a list: ${kind.value}`;
  if (members.every((node) => textOf(node) !== undefined)) return undefined;
  return kind.many ? `expected a list of values: ${kind.value}` : `expected a value: ${kind.value}`;
}

/** Numbers are returned as written; the kind of the setting parses them. */
function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : node.source;
}

const rangeOf = (node: unknown): number | undefined => (isScalar(node) ? node.range?.[0] : undefined);
