import { type PartName, type PartValues, partNames } from './draft-parts.ts';
import { type Draft, draftOf } from './drafts.ts';
import { useEditor } from './use-editor.ts';

type EditedPart<T> = { readonly value: T; readonly change: (edited: T) => void };

/** Edits a part in the draft of the profile, which the save bar saves. `stored` is what the service has. */
export function useDraftPart<Name extends PartName>(
  name: Name,
  stored: PartValues[Name],
): EditedPart<PartValues[Name]> {
  const { server, draft } = useEditor();
  const store = draftOf(server.id);
  return {
    value: draft.parts[name]?.edited ?? stored,
    change(edited) {
      const { parts, errors, ...rest } = store.get();
      const base = parts[name]?.base ?? stored;
      const isSame = JSON.stringify(base) === JSON.stringify(edited);
      store.set({
        ...rest,
        parts: isSame ? withoutPart(parts, name) : { ...parts, [name]: { base, edited } },
        // Errors of the edited part are outdated.
        errors: errors.filter(({ field }) => !field.startsWith(`${name}.`)),
      });
    },
  };
}

export const withoutPart = (parts: Draft['parts'], name: PartName): Draft['parts'] =>
  Object.fromEntries(partNames.filter((each) => each !== name && parts[each]).map((each) => [each, parts[each]]));
