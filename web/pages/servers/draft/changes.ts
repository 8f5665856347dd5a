import type { ServerSettings, ServerSettingsUpdate } from '../../../api/wire.ts';

/** Unsaved changes by path (`access_settings.enabled`), with the value at the time of the first edit. */
export type Changes = Readonly<Record<string, { readonly before: unknown; readonly wanted: unknown }>>;

type ObjectValue = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ObjectValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// The API only accepts a complete blocking mode.
const atomicFields = ['blocking_mode_settings'];

const flatten = (update: ServerSettingsUpdate): [string, unknown][] =>
  Object.entries(update).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) && !atomicFields.includes(name)
      ? Object.entries(value).map(([member, inner]) => [`${name}.${member}`, inner])
      : [[name, value]],
  );

const valueAt = (settings: ServerSettings, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), settings);

/** A missing value equals an empty string: both mean that no address is set. */
function isSame(one: unknown, other: unknown): boolean {
  if ((one ?? '') === (other ?? '')) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => isSame(item, other[i]));
  if (!isObject(one) || !isObject(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSame(one[name], other[name]));
}

/** Adds changes; a value that equals the saved one is removed. */
export function withChanges(changes: Changes, settings: ServerSettings, update: ServerSettingsUpdate): Changes {
  const next = new Map(Object.entries(changes));
  for (const [path, wanted] of flatten(update)) {
    const now = valueAt(settings, path);
    if (isSame(wanted, now)) next.delete(path);
    else next.set(path, { before: next.get(path)?.before ?? now, wanted });
  }
  return Object.fromEntries(next);
}

/** Changes that remain after saving: values edited while the request was running. */
export const withoutSaved = (changes: Changes, saved: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([path, { wanted }]) => !isSame(wanted, saved[path]?.wanted))
      .map(([path, { before, wanted }]) => [path, { before: saved[path]?.wanted ?? before, wanted }]),
  );

/** Settings with the changes applied. */
export const settingsWith = (settings: ServerSettings, changes: Changes): ServerSettings =>
  ({ ...settings, ...withMembers(settings, changes, 'wanted') }) as ServerSettings;

/** Update request for the changes. */
export const updateOf = (changes: Changes, which: 'wanted' | 'before' = 'wanted'): ServerSettingsUpdate =>
  withMembers({}, changes, which);

/** Changed sections, merged over `base`. */
function withMembers(base: ObjectValue, changes: Changes, which: 'wanted' | 'before'): Record<string, unknown> {
  const sections: Record<string, unknown> = {};
  for (const [path, change] of Object.entries(changes)) {
    const [name = '', member] = path.split('.');
    if (member === undefined) sections[name] = change[which];
    else sections[name] = { ...((sections[name] ?? base[name]) as ObjectValue | undefined), [member]: change[which] };
  }
  return sections;
}

/** Paths that changed on the service since the edit began; saving overwrites them. */
export const conflictingPaths = (changes: Changes, settings: ServerSettings): string[] =>
  Object.entries(changes)
    .filter(([path, { before, wanted }]) => {
      const now = valueAt(settings, path);
      return !isSame(now, before) && !isSame(now, wanted);
    })
    .map(([path]) => path);

/** The same changes with the current settings as their base: the user has seen these. */
export const rebased = (changes: Changes, settings: ServerSettings): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([path, { wanted }]) => [path, { before: valueAt(settings, path), wanted }]),
  );

export const withoutPaths = (changes: Changes, paths: readonly string[]): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([path]) => !paths.includes(path)));
