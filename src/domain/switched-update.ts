import { isObject } from '../kit/is-object.ts';
import type { Switched } from './profile.ts';
import { type Read, refuse } from './read-update.ts';

/** Without `enabled`, an existing entry stays unchanged and a new one is enabled. */
export type SwitchedUpdate = { readonly id: string; readonly enabled?: boolean | undefined };
export type KnownIds = { has(id: string): boolean };

/** If an id is repeated, the last value is used, at the position of the first. */
export const switches =
  (wireName: string, what: string, knownIds: KnownIds): Read<readonly Switched[]> =>
  (requested, current, field, errors) => {
    if (!Array.isArray(requested)) return refuse(current, field, 'must be an array', errors);
    const before = new Map(current.map(({ id, enabled }) => [id, enabled]));
    const next = new Map<string, boolean>();
    for (const [index, entry] of (requested as unknown[]).entries()) {
      const id = isObject(entry) ? entry['id'] : undefined;
      const enabled = isObject(entry) ? entry['enabled'] : undefined;
      const path = `${field}[${index}].${wireName}`;
      if (typeof id !== 'string') errors.add(path, 'is required', 'required');
      // Entries that were removed from the catalogue are accepted, so that clients can send the settings back unchanged.
      else if (!knownIds.has(id) && !before.has(id)) errors.add(path, `unknown ${what}`);
      else if (enabled !== undefined && typeof enabled !== 'boolean')
        errors.add(`${field}[${index}].enabled`, 'must be true or false');
      else next.set(id, enabled ?? next.get(id) ?? before.get(id) ?? true);
    }
    return Array.from(next, ([id, enabled]) => ({ id, enabled }));
  };
