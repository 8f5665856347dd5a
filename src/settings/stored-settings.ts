import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../kit/is-object.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { SettingEntry } from './settings-sources.ts';
import { keyOfSetting } from './settings-table.ts';

/**
 * Settings that the operator has changed in the web interface: strings as in a file, by name. They have the lowest precedence of all
 * sources.
 */
export type StoredSettings = Readonly<Record<string, readonly string[]>>;

const VERSION = 1;

export const storedSettingsPath = (data: string): string => join(data, 'operator-settings.json');

export const storedSettingsText = (settings: StoredSettings): string =>
  `${JSON.stringify({ version: VERSION, settings }, undefined, 2)}\n`;

export async function readStoredSettings(path: string): Promise<Result<StoredSettings, string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  if (text instanceof Error)
    return text.code === 'ENOENT' ? ok({}) : err(`${path}: it cannot be read: ${text.message}`);
  const content = parsed(text);
  if (!isObject(content) || typeof content['version'] !== 'number' || !areTexts(content['settings']))
    return err(`${path}: it is damaged; delete it to use the settings of file and defaults`);
  return content['version'] === VERSION
    ? ok(content['settings'])
    : err(`${path}: it was written by a newer version of Weir (format ${content['version']})`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const areTexts = (settings: unknown): settings is StoredSettings =>
  isObject(settings) &&
  Object.values(settings).every((texts) => Array.isArray(texts) && texts.every((text) => typeof text === 'string'));

/** Settings that do not exist in this version are ignored. */
export const entriesOfStored = (settings: StoredSettings, path: string): readonly SettingEntry[] =>
  Object.entries(settings).flatMap(([name, texts]) => {
    const key = keyOfSetting(name);
    const location = `${path}: ${name}`;
    const values = texts.map((text) => ({ text, location }));
    return key === undefined ? [] : [{ kind: 'given' as const, key, name, location, spell: String, values }];
  });
