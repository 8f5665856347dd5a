import { resolve } from 'node:path';
import { ok, type Result } from '../kit/result.ts';
import { combinedProblems } from './combined-settings.ts';
import { roleProblems, settingsOfRole } from './role-settings.ts';
import { type Setting, sections } from './setting-kinds.ts';
import { type SettingEntry, settingsFromEnvironment, settingsFromFlags } from './settings-sources.ts';
import { defaultTexts, type SettingKey, type Settings, settingEntries, settingsTable } from './settings-table.ts';
import { entriesOfStored, readStoredSettings, type StoredSettings, storedSettingsPath } from './stored-settings.ts';

export type { Settings } from './settings-table.ts';

type SettingInputs = {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Replaces the stored settings in the data folder, to check a change before it is stored. */
  readonly stored?: StoredSettings;
};

/** Source of a value; `location` is the flag, variable or line. */
export type SettingOrigin = {
  readonly kind: 'flag' | 'environment' | 'file' | 'stored' | 'default';
  readonly location: string | undefined;
  readonly texts: readonly string[];
};

export type ReadSettings = {
  readonly settings: Settings;
  readonly originOf: (key: keyof Settings) => SettingOrigin;
  /** False if a source sets it, even to the default value. */
  readonly isDefault: (key: keyof Settings) => boolean;
  /** Uses of deprecated names, one line each. */
  readonly warnings: readonly string[];
};

type GivenSetting = Extract<SettingEntry, { kind: 'given' }>;

/** Reads the settings of `weir serve`; the error lists all problems, one line each. */
export async function readSettings({
  words,
  env,
  cwd,
  stored,
}: SettingInputs): Promise<Result<ReadSettings, readonly string[]>> {
  // Loaded only when needed: the help reads no values.
  const { readDefault, readValues } = await import('./read-setting.ts');
  const values = new Map<SettingKey, unknown>();
  const origins = new Map<SettingKey, SettingOrigin>();
  const problems: string[] = [];
  // In order of precedence. Values from overridden sources are checked, but not used.
  const take = (kind: SettingOrigin['kind'], entries: readonly SettingEntry[]): void => {
    for (const entry of entries) {
      if (entry.kind === 'invalid') {
        problems.push(entry.problem);
        continue;
      }
      const parsed = readValues(entry.values, settingsTable[entry.key].kind, cwd);
      if (!parsed.ok) problems.push(...parsed.error);
      else if (!values.has(entry.key)) {
        values.set(entry.key, parsed.value);
        origins.set(entry.key, { kind, location: entry.location, texts: entry.values.map(({ text }) => text) });
      }
    }
  };
  const [flags, variables] = [settingsFromFlags(words), settingsFromEnvironment(env)];
  take('flag', flags);
  take('environment', variables);
  const lines = await entriesOfFile([...flags, ...variables], cwd);
  take('file', lines);
  const path = storedSettingsPath((values.get('data') ?? readDefault('data', cwd)) as Settings['data']);
  const found = stored ? ok(stored) : await readStoredSettings(path);
  if (found.ok) take('stored', entriesOfStored(found.value, path));
  else problems.push(found.error);
  const givenSettings = [...flags, ...variables, ...lines].filter((entry) => entry.kind === 'given');
  problems.push(...givenTwice(givenSettings));
  if (problems.length > 0) return { ok: false, error: problems };
  const all = settingEntries.map(([key]) => [key, values.has(key) ? values.get(key) : readDefault(key, cwd)]);
  const asGiven = Object.fromEntries(all) as Settings;
  const isDefault = (key: keyof Settings): boolean => !values.has(key);
  const settings = settingsOfRole(asGiven);
  const combined = [...roleProblems({ settings: asGiven, isDefault }), ...combinedProblems(settings)];
  if (combined.length > 0) return { ok: false, error: combined };
  return ok({
    settings,
    isDefault,
    originOf: (key) => origins.get(key) ?? { kind: 'default', location: undefined, texts: defaultTexts(key) },
    warnings: givenSettings
      .filter(isFormer)
      .map(({ key, location, spell }) => `${location}: deprecated, use ${spell(settingsTable[key].name)}`),
  });
}

const isFormer = ({ key, name }: GivenSetting): boolean => name !== settingsTable[key].name;

/** Problems of settings given under both their current and their former name. */
function givenTwice(givenSettings: readonly GivenSetting[]): readonly string[] {
  return givenSettings.filter(isFormer).flatMap((former) => {
    const current = givenSettings.find((entry) => entry.key === former.key && !isFormer(entry));
    return current ? [`${former.location}: the same setting as ${current.location}; remove it`] : [];
  });
}

async function entriesOfFile(entries: readonly SettingEntry[], cwd: string): Promise<readonly SettingEntry[]> {
  const config = entries.find((entry) => entry.kind === 'given' && entry.key === 'config');
  const name = config?.kind === 'given' ? config.values[0]?.text : undefined;
  // An empty name is reported like other invalid values.
  if (!name) return [];
  // Loaded only when needed: the YAML parser delays the start.
  const { settingsFromFile } = await import('./settings-from-file.ts');
  return settingsFromFile(resolve(cwd, name), name);
}

/** The name of a setting as in flags and files. */
export const settingName = (key: keyof Settings): string => settingsTable[key].name;

const TERM_WIDTH = 34;
const WIDTH = 80;

/** Help text: the settings as flags, by section, at most 80 columns wide. */
export const settingsHelp = (): string =>
  sections
    .map((section) => {
      const lines = settingEntries
        .filter(([, setting]) => setting.section === section)
        .map(([, setting]) => flagHelp(setting));
      return `${section}:\n${lines.join('\n')}`;
    })
    .join('\n\n');

function flagHelp({ name, kind, default: preset, help }: Setting): string {
  const term = `  --${name} ${kind.value}${kind.many ? ',…' : ''}`;
  const shown = preset && kind.many ? preset.replaceAll(',', ', ') : preset;
  const [first = '', ...rest] = wrap(shown ? `${help} (${shown})` : help, WIDTH - TERM_WIDTH - 1);
  const below = rest.map((line) => ' '.repeat(TERM_WIDTH + 1) + line);
  // A term wider than its column gets its own line.
  const head =
    term.length > TERM_WIDTH ? [term, ' '.repeat(TERM_WIDTH + 1) + first] : [`${term.padEnd(TERM_WIDTH)} ${first}`];
  return [...head, ...below].join('\n');
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
