import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { ok, type Result } from '../kit/result.ts';
import { type Settings, settingName } from '../settings/settings.ts';

type ReadAgain = () => Promise<Result<{ readonly settings: Settings }, readonly string[]>>;

type Use = (settings: Settings) => void | Promise<void>;

/** Settings that could not be applied; the problems, if the settings could not be read. */
export type Reloaded = Result<{ readonly failed: readonly (keyof Settings)[] }, readonly string[]>;

/** Parts of the service that apply new settings without a restart. A part that fails continues with its current settings. */
type LiveParts = Readonly<Record<'log' | 'stop' | 'http' | 'dns' | 'hostsFile' | 'lists', Use>>;

const partOf: { readonly [Key in keyof Settings]?: keyof LiveParts } = {
  logLevel: 'log',
  drainSeconds: 'stop',
  upstream: 'dns',
  upstreamFallback: 'dns',
  upstreamStrategy: 'dns',
  upstreamTimeoutSeconds: 'dns',
  bootstrap: 'dns',
  dnssec: 'dns',
  caseRandomization: 'dns',
  forward: 'dns',
  privateAnswers: 'dns',
  privateDomain: 'dns',
  queriesPerTenSeconds: 'dns',
  networkQueriesPerTenSeconds: 'dns',
  unlimitedClients: 'dns',
  connectionsPerClient: 'dns',
  dnsConnections: 'dns',
  hostsFile: 'hostsFile',
  listUpdateIntervalSeconds: 'lists',
  httpConnectionsPerAddress: 'http',
};

/** Whether a change takes effect without a restart. */
export const isLive = (key: keyof Settings): boolean => partOf[key] !== undefined;

type Reloading = {
  readonly started: Settings;
  readonly readAgain: ReadAgain;
  readonly parts: LiveParts;
  readonly log: Logger;
};

/** On SIGHUP: applies the settings that can change while the service runs, and logs which others wait for a restart. */
export function settingsReloader({ started, readAgain, parts, log }: Reloading): () => Promise<Reloaded> {
  let current = started;

  /** The settings of a part that it uses now; none if it cannot use them. */
  async function use(part: keyof LiveParts, next: Settings, keys: readonly (keyof Settings)[]) {
    try {
      await parts[part](next);
      return keys;
    } catch (err) {
      log.error({ err, settings: keys.map(settingName) }, 'settings not applied: the current ones stay in use');
      return [];
    }
  }

  async function reload(): Promise<Reloaded> {
    const read = await readAgain();
    if (!read.ok) {
      log.error({ problems: read.error }, 'settings not reloaded: the current ones stay in use');
      return read;
    }
    const { settings } = read.value;
    const isChanged = (key: keyof Settings, before: Settings): boolean =>
      !isDeepStrictEqual(before[key], settings[key]);
    const keys = Object.keys(settings) as (keyof Settings)[];
    const changed = Object.groupBy(
      keys.filter((key) => isChanged(key, current)),
      (key) => partOf[key] ?? 'restart',
    );
    const applied: (keyof Settings)[] = [];
    for (const part of Object.keys(parts) as (keyof LiveParts)[])
      applied.push(...(changed[part] ? await use(part, settings, changed[part]) : []));
    current = { ...current, ...Object.fromEntries(applied.map((key) => [key, settings[key]])) };
    log.info({ applied: applied.map(settingName) }, 'settings reloaded');
    const waiting = keys.filter((key) => !partOf[key] && isChanged(key, started));
    if (waiting.length > 0) log.warn({ settings: waiting.map(settingName) }, 'these settings change with a restart');
    return ok({ failed: keys.filter((key) => partOf[key] && isChanged(key, current)) });
  }

  // Reloads are serialised, so that the newest file is applied last.
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const reloaded = last.catch(() => undefined).then(reload);
    last = reloaded;
    return reloaded;
  };
}
