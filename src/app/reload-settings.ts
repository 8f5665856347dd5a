import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Result } from '../kit/result.ts';
import { type Settings, settingName } from '../settings/settings.ts';

export type ReadAgain = () => Promise<Result<{ readonly settings: Settings }, readonly string[]>>;

/** Settings that take effect without a restart. */
const live: { readonly [Key in keyof Settings]?: (settings: Settings, log: Logger) => void } = {
  logLevel: ({ logLevel }, log) => {
    log.level = logLevel;
  },
};

/** On SIGHUP: applies the settings that can change while the service runs, and logs which others wait for a restart. */
export function settingsReloader(started: Settings, readAgain: ReadAgain, log: Logger): () => Promise<void> {
  let current = started;
  return async () => {
    const read = await readAgain();
    if (!read.ok) {
      log.error({ problems: read.error }, 'settings not reloaded: the current ones stay in use');
      return;
    }
    const { settings } = read.value;
    const isChanged = (key: keyof Settings, before: Settings): boolean =>
      !isDeepStrictEqual(before[key], settings[key]);
    const keys = Object.keys(settings) as (keyof Settings)[];
    const applied = keys.filter((key) => live[key] && isChanged(key, current));
    for (const key of applied) live[key]?.(settings, log);
    current = settings;
    log.info({ applied: applied.map(settingName) }, 'settings reloaded');
    const waiting = keys.filter((key) => !live[key] && isChanged(key, started));
    if (waiting.length > 0) log.warn({ settings: waiting.map(settingName) }, 'these settings change with a restart');
  };
}
