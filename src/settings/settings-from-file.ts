import { readFile } from 'node:fs/promises';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { type SettingEntry, unknownSetting, wrong } from './setting-entry.ts';
import type { Kind } from './setting-kinds.ts';
import { keyOfSetting, settingsTable } from './settings-table.ts';

/** Reads a YAML file of settings; `name` is what errors call it. */
export async function settingsFromFile(path: string, name: string): Promise<readonly SettingEntry[]> {
  const content = await readFile(path, 'utf8').catch((error: Error) => error);
  return content instanceof Error
    ? [wrong(name, `it cannot be read: ${content.message}`)]
    : parseSettings(content, name);
}

function parseSettings(content: string, file: string): readonly SettingEntry[] {
  const lines = new LineCounter();
  const { contents, errors } = parseDocument(content, { lineCounter: lines, prettyErrors: false });
  const lineAt = (position: number): string => `(line ${lines.linePos(position).line})`;
  // What follows the first fault is mostly its echo.
  const [fault] = errors;
  if (fault) return [wrong(`${file} ${lineAt(fault.pos[0])}`, faultInWords(fault))];
  // A file in which everything is a comment.
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents)) return [wrong(file, 'it must hold settings, one a line, written as name: value')];
  return contents.items.map(({ key, value }) => {
    const name = textOf(key) ?? String(key);
    return entryOf(name, value, (node) => `${file}: ${name} ${lineAt(rangeOf(node) ?? key.range[0])}`);
  });
}

// The words of the library are for programmers here.
const faultInWords = ({ code, message }: { code: string; message: string }): string =>
  code === 'MULTIPLE_DOCS' ? 'a second document begins; only one is taken' : `it is not valid YAML: ${message}`;

function entryOf(name: string, value: unknown, placeOf: (node?: unknown) => string): SettingEntry {
  const key = keyOfSetting(name);
  if (key === undefined) return unknownSetting(placeOf(), name, String);
  if (key === 'config') return wrong(placeOf(), 'a file of settings cannot name another');
  const members: readonly unknown[] = isSeq(value) ? value.items : [value];
  const fault = shapeFault(value, members, settingsTable[key].kind);
  if (fault !== undefined) return wrong(placeOf(), fault);
  return { kind: 'given', key, written: members.map((node) => ({ text: textOf(node) ?? '', place: placeOf(node) })) };
}

/** Without aliases and nesting no file can mean more than it has letters. */
function shapeFault(value: unknown, members: readonly unknown[], kind: Kind): string | undefined {
  const text = textOf(value);
  if (members.some(isAlias)) return 'aliases are not taken here; write the value itself';
  if (kind.many && text !== undefined) return `it takes a list: write [${text}]`;
  if (!kind.many && isSeq(value)) return `it takes one value, not a list: ${kind.value}`;
  if (members.every((node) => textOf(node) !== undefined)) return undefined;
  return kind.many ? `it needs a list of values: ${kind.value}` : `it needs a value: ${kind.value}`;
}

/** Numbers as they were written: what they mean is for the setting to say. */
function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : node.source;
}

const rangeOf = (node: unknown): number | undefined => (isScalar(node) ? node.range?.[0] : undefined);
