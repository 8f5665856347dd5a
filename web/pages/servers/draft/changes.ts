import type { ServerSettings, ServerSettingsUpdate } from '../../../api/wire.ts';

/** What somebody wants otherwise, by path (`access_settings.enabled`), and how it was when they began. */
export type Changes = Readonly<Record<string, { readonly before: unknown; readonly wanted: unknown }>>;

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// The service takes a blocking mode as a whole only.
const wholes = ['blocking_mode_settings'];

const membersOf = (update: ServerSettingsUpdate): [string, unknown][] =>
  Object.entries(update).flatMap(([name, value]): [string, unknown][] =>
    isMembers(value) && !wholes.includes(name)
      ? Object.entries(value).map(([member, inner]) => [`${name}.${member}`, inner])
      : [[name, value]],
  );

const valueAt = (settings: ServerSettings, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isMembers(at) ? at[name] : undefined), settings);

/** What is missing and an empty text say the same: an address that is not given. */
function isSame(one: unknown, other: unknown): boolean {
  if ((one ?? '') === (other ?? '')) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => isSame(item, other[i]));
  if (!isMembers(one) || !isMembers(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSame(one[name], other[name]));
}

/** The changes with some more; what is wanted as it is already is no change. */
export function withChanges(changes: Changes, settings: ServerSettings, update: ServerSettingsUpdate): Changes {
  const next = new Map(Object.entries(changes));
  for (const [path, wanted] of membersOf(update)) {
    const now = valueAt(settings, path);
    if (isSame(wanted, now)) next.delete(path);
    else next.set(path, { before: next.get(path)?.before ?? now, wanted });
  }
  return Object.fromEntries(next);
}

/** What is left when some of it was saved: whatever was typed while it was being saved. */
export const withoutSaved = (changes: Changes, saved: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([path, { wanted }]) => !isSame(wanted, saved[path]?.wanted))
      .map(([path, { before, wanted }]) => [path, { before: saved[path]?.wanted ?? before, wanted }]),
  );

/** The settings as they will be. */
export const settingsWith = (settings: ServerSettings, changes: Changes): ServerSettings =>
  ({ ...settings, ...withMembers(settings, changes, 'wanted') }) as ServerSettings;

/** One request that makes them so. */
export const updateOf = (changes: Changes, which: 'wanted' | 'before' = 'wanted'): ServerSettingsUpdate =>
  withMembers({}, changes, which);

/** Every section that changes, with its members over those that it begins with. */
function withMembers(begin: Members, changes: Changes, which: 'wanted' | 'before'): Record<string, unknown> {
  const sections: Record<string, unknown> = {};
  for (const [path, change] of Object.entries(changes)) {
    const [name = '', member] = path.split('.');
    if (member === undefined) sections[name] = change[which];
    else sections[name] = { ...((sections[name] ?? begin[name]) as Members | undefined), [member]: change[which] };
  }
  return sections;
}

/** What somebody else has changed meanwhile: to save replaces it. */
export const overtaken = (changes: Changes, settings: ServerSettings): string[] =>
  Object.entries(changes)
    .filter(([path, { before, wanted }]) => {
      const now = valueAt(settings, path);
      return !isSame(now, before) && !isSame(now, wanted);
    })
    .map(([path]) => path);
