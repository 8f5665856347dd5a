import type { Deps, SettingState } from '../api/deps.ts';
import { withoutUrlSecretsIn } from '../domain/url-secrets.ts';
import { keyedMutex } from '../kit/keyed-mutex.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { Kind } from '../settings/setting-kinds.ts';
import type { ReadSettings, SettingOrigin, Settings } from '../settings/settings.ts';
import { keyOfSetting, type SettingKey, settingEntries, settingsTable } from '../settings/settings-table.ts';
import {
  readStoredSettings,
  type StoredSettings,
  storedSettingsPath,
  storedSettingsText,
} from '../settings/stored-settings.ts';
import { isLive, type Reloaded } from './reload-settings.ts';

export type ReadWith = (stored?: StoredSettings) => Promise<Result<ReadSettings, readonly string[]>>;
export type OperatorSettings = ReturnType<typeof operatorSettings>;

const SECRETS: ReadonlySet<SettingKey> = new Set(['nodeKey']);

/** The settings in use with their sources, and changes by the operator: stored in the data folder, then applied like SIGHUP does. */
export function operatorSettings(started: ReadSettings, readWith: ReadWith) {
  const path = storedSettingsPath(started.settings.data);
  const inUse = new Map(settingEntries.map(([key]) => [key, started.originOf(key)]));
  let latest = started;
  let reload = async (): Promise<Reloaded> => err(['The service is still starting']);
  const mutex = keyedMutex();

  const stateOf = (key: SettingKey): SettingState => {
    const { name, section, help, kind } = settingsTable[key];
    const origin = inUse.get(key)!;
    const next = latest.originOf(key);
    const isPending = !isLive(key) && next.texts.join('\n') !== origin.texts.join('\n');
    const { choices = [] }: Kind = kind;
    return {
      name,
      section,
      help,
      placeholder: kind.value,
      isList: kind.many,
      choices,
      values: shownTexts(key, origin),
      source: origin.kind,
      place: origin.location,
      isLive: isLive(key),
      ...(isPending && { pending: shownTexts(key, next) }),
    };
  };

  /** Checks the stored settings as a whole, stores and applies them. */
  async function change(key: SettingKey, texts: readonly string[] | undefined): ReturnType<Deps['settings']['set']> {
    const { name } = settingsTable[key];
    if (!isLive(key)) return err('it needs a restart: change it where the service is started, then restart');
    const { kind, location: place } = latest.originOf(key);
    if (kind !== 'stored' && kind !== 'default')
      return err(`it is set by ${place}, which has precedence: change it there`);
    const before = await readStoredSettings(path);
    if (!before.ok) return before;
    const { [name]: _, ...others } = before.value;
    const next = texts === undefined ? others : { ...others, [name]: texts };
    const checked = await readWith(next);
    if (!checked.ok) return err(checked.error.map((problem) => problem.replace(`${path}: ${name}: `, '')).join('; '));
    await writeAtomic(path, storedSettingsText(next));
    const reloaded = await reload();
    if (reloaded.ok && !reloaded.value.failed.includes(key)) return ok(stateOf(key));
    await writeAtomic(path, storedSettingsText(before.value));
    await reload();
    return err('it could not be applied, and the previous value stays in use: see the log of the service');
  }

  return {
    /** Reads all sources again. */
    async readAgain(): ReturnType<ReadWith> {
      const read = await readWith();
      if (read.ok) latest = read.value;
      return read;
    },
    /** Wraps the reloader, so that the shown values are those in use. */
    reloadWith(apply: () => Promise<Reloaded>): () => Promise<Reloaded> {
      reload = async () => {
        const reloaded = await apply();
        if (!reloaded.ok) return reloaded;
        for (const key of inUse.keys())
          if (isLive(key) && !reloaded.value.failed.includes(key)) inUse.set(key, latest.originOf(key));
        return reloaded;
      };
      return () => reload();
    },
    /** The settings in use. */
    current: (): Settings => ({
      ...started.settings,
      ...Object.fromEntries([...inUse.keys()].filter(isLive).map((key) => [key, latest.settings[key]])),
    }),
    api: {
      list: () => settingEntries.map(([key]) => stateOf(key)),
      find: (name) => {
        const key = keyOfSetting(name);
        return key && stateOf(key);
      },
      set: (name, texts) => {
        const key = keyOfSetting(name);
        return key ? mutex('settings', () => change(key, texts)) : Promise.resolve(err('unknown setting'));
      },
    } satisfies Deps['settings'],
  };
}

/** Editable values are shown completely, others without passwords. */
function shownTexts(key: SettingKey, { texts }: SettingOrigin): readonly string[] {
  if (isLive(key)) return texts;
  return SECRETS.has(key) ? texts.map(() => '…') : withoutUrlSecretsIn(texts);
}
