import { resolve } from 'node:path';
import { ok, type Result } from '../kit/result.ts';
import type { SettingEntry, Written } from './setting-entry.ts';
import type { Kind } from './setting-kinds.ts';
import { settingsFromEnvironment } from './settings-from-environment.ts';
import { settingsFromFlags } from './settings-from-flags.ts';
import { type SettingKey, type Settings, settingEntries, settingsTable } from './settings-table.ts';

export { settingsHelp } from './settings-help.ts';
export type { Settings } from './settings-table.ts';

type SettingInputs = {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
};

type ReadSettings = {
  readonly settings: Settings;
  /** Whether nobody has set it, be it to the same value. */
  readonly isDefault: (key: keyof Settings) => boolean;
};

/** The settings of `weir serve`, or everything that is wrong with them, a line each. */
export async function readSettings({
  words,
  env,
  cwd,
}: SettingInputs): Promise<Result<ReadSettings, readonly string[]>> {
  const entries = [...settingsFromFlags(words), ...settingsFromEnvironment(env)];
  // Strongest first: what has been given once is not given again below, only checked.
  entries.push(...(await entriesOfFile(entries, cwd)));

  const given = new Map<SettingKey, unknown>();
  const problems: string[] = [];
  for (const entry of entries) {
    if (entry.kind === 'wrong') {
      problems.push(entry.problem);
      continue;
    }
    const parsed = parseWritten(entry.written, settingsTable[entry.key].kind, cwd);
    if (!parsed.ok) problems.push(...parsed.error);
    else if (!given.has(entry.key)) given.set(entry.key, parsed.value);
  }
  if (problems.length > 0) return { ok: false, error: problems };
  const values = settingEntries.map(([key]) => [key, given.has(key) ? given.get(key) : defaultOf(key, cwd)]);
  return ok({ settings: Object.fromEntries(values) as Settings, isDefault: (key) => !given.has(key) });
}

async function entriesOfFile(entries: readonly SettingEntry[], cwd: string): Promise<readonly SettingEntry[]> {
  const config = entries.find((entry) => entry.kind === 'given' && entry.key === 'config');
  const name = config?.kind === 'given' ? config.written[0]?.text : undefined;
  // An empty name is told as every other bad value.
  if (!name) return [];
  const { settingsFromFile } = await import('./settings-from-file.ts');
  return settingsFromFile(resolve(cwd, name), name);
}

function parseWritten(written: readonly Written[], kind: Kind, cwd: string): Result<unknown, readonly string[]> {
  const values: unknown[] = [];
  const problems: string[] = [];
  for (const { text, place } of written) {
    const parsed = kind.parse(text, cwd);
    if (parsed.ok) values.push(parsed.value);
    else problems.push(`${place}: ${JSON.stringify(text)} ${parsed.error}`);
  }
  if (problems.length > 0) return { ok: false, error: problems };
  return ok(kind.many ? values : values[0]);
}

function defaultOf(key: SettingKey, cwd: string): unknown {
  const { kind, default: text }: { kind: Kind; default?: string } = settingsTable[key];
  if (text === undefined) return undefined;
  const texts = kind.many ? text.split(',').filter(Boolean) : [text];
  const parsed = parseWritten(
    texts.map((each) => ({ text: each, place: key })),
    kind,
    cwd,
  );
  if (!parsed.ok) throw new Error(`the default of ${parsed.error.join()}`);
  return parsed.value;
}
