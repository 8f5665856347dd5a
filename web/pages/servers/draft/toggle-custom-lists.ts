import type { ChosenCustomLists } from '../../../api/wire.ts';
import { toggleEntry } from './toggle-entry.ts';

export type CustomLists = ChosenCustomLists['custom_lists'];
type Toggled = { readonly base: CustomLists; readonly edited: CustomLists };

/** The current lists with those that were switched on or off since `base`. */
export function withToggled(current: CustomLists, { base, edited }: Toggled): CustomLists {
  const isOn = (lists: CustomLists, id: string): boolean => lists.some((list) => list.id === id && list.enabled);
  const toggled = [...new Set([...base, ...edited].map(({ id }) => id))].filter(
    (id) => isOn(base, id) !== isOn(edited, id),
  );
  return toggled.reduce<CustomLists>((lists, id) => {
    const entry = { id, enabled: isOn(edited, id) };
    // A list that was deleted meanwhile stays away.
    if (!entry.enabled && !lists.some((list) => list.id === id)) return lists;
    return toggleEntry(lists, [], entry, (one, other) => one.id === other.id);
  }, current);
}
