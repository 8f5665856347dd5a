import { parseClientEntry } from './client-entry.ts';
import type { ProfileSettings, Switched } from './profile.ts';
import type { SettingsUpdate } from './profile-update.ts';
import type { SwitchedUpdate } from './switched-update.ts';

/**
 * A list in the settings whose entries can be added and removed individually. Both operations use the current settings,
 * so that parallel changes of different entries do not undo each other.
 */
export type EntryList<Entry> = {
  /** The update that adds the entry, or changes the one with the same key. */
  readonly add: (settings: ProfileSettings, entry: Entry) => SettingsUpdate;
  /** Undefined if no entry has this key. */
  readonly remove: (settings: ProfileSettings, key: string) => SettingsUpdate | undefined;
  readonly count: (settings: ProfileSettings) => number;
};

/** Texts are their own key. Adding a text that is in the list changes nothing. */
const textList = (
  read: (settings: ProfileSettings) => readonly string[],
  update: (texts: readonly string[]) => SettingsUpdate,
  normalize: (text: string) => string = (text) => text,
): EntryList<string> => ({
  add: (settings, text) => update(read(settings).includes(text) ? read(settings) : [...read(settings), text]),
  remove: (settings, text) => {
    const rest = read(settings).filter((other) => other !== normalize(text));
    return rest.length < read(settings).length ? update(rest) : undefined;
  },
  count: (settings) => read(settings).length,
});

const switchedList = (
  read: (settings: ProfileSettings) => readonly Switched[],
  update: (entries: readonly SwitchedUpdate[]) => SettingsUpdate,
): EntryList<SwitchedUpdate> => ({
  // If an id is repeated, the last value is used, at the position of the first.
  add: (settings, entry) => update([...read(settings), entry]),
  remove: (settings, id) => {
    const rest = read(settings).filter((other) => other.id !== id);
    return rest.length < read(settings).length ? update(rest) : undefined;
  },
  count: (settings) => read(settings).length,
});

const normalizeClient = (text: string): string => parseClientEntry(text) ?? text;

export const entryLists = {
  userRules: textList(
    ({ userRules }) => userRules.rules,
    (rules) => ({ userRules: { rules } }),
  ),
  blockedDomainRules: textList(
    ({ access }) => access.blockedDomainRules,
    (blockedDomainRules) => ({ access: { blockedDomainRules } }),
  ),
  blockedClients: textList(
    ({ access }) => access.blockedClients,
    (blockedClients) => ({ access: { blockedClients } }),
    normalizeClient,
  ),
  allowedClients: textList(
    ({ access }) => access.allowedClients,
    (allowedClients) => ({ access: { allowedClients } }),
    normalizeClient,
  ),
  filterLists: switchedList(
    ({ filterLists }) => filterLists.lists,
    (lists) => ({ filterLists: { lists } }),
  ),
  blockedServices: switchedList(
    ({ parental }) => parental.blockedServices,
    (blockedServices) => ({ parental: { blockedServices } }),
  ),
} as const;
