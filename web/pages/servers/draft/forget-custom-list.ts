import { draftOf } from './drafts.ts';
import type { CustomLists } from './toggle-custom-lists.ts';
import { withoutPart } from './use-draft-part.ts';

/** Removes a deleted list from the unsaved changes of a profile; the service has removed it from the saved ones. */
export function forgetCustomList(server: string, id: string): void {
  const store = draftOf(server);
  const { parts, ...rest } = store.get();
  if (!parts.customLists) return;
  const without = (lists: CustomLists): CustomLists => lists.filter((list) => list.id !== id);
  const [base, edited] = [without(parts.customLists.base), without(parts.customLists.edited)];
  const isSame = JSON.stringify(base) === JSON.stringify(edited);
  const customLists = { base, edited };
  store.set({ ...rest, parts: isSame ? withoutPart(parts, 'customLists') : { ...parts, customLists } });
}
