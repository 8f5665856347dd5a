import { ApiError, problemOf } from '../../../api/api-error.ts';
import { saveServerSettings, updateServerSettings } from '../../../api/servers.ts';
import { conflictingPaths, updateOf, withoutSaved } from './changes.ts';
import { draftParts, type PartDrafts, type PartName, partNames } from './draft-parts.ts';
import { type Draft, draftOf } from './drafts.ts';
import { withoutPart } from './use-draft-part.ts';

export type Unsaved = Pick<Draft, 'changes' | 'parts'>;

/** Saves the settings, then each part; what is saved leaves the draft, so that a second attempt saves the rest. */
export async function saveDraft(server: string, { changes, parts }: Unsaved): Promise<void> {
  const store = draftOf(server);
  if (Object.keys(changes).length > 0) {
    await saveServerSettings(
      server,
      updateOf(changes),
      ({ settings }) => conflictingPaths(changes, settings).length > 0,
    );
    store.set({ ...store.get(), changes: withoutSaved(store.get().changes, changes) });
  }
  for (const name of partNames) await savePart(server, name, parts);
}

async function savePart<Name extends PartName>(server: string, name: Name, parts: PartDrafts): Promise<void> {
  const draft = parts[name];
  if (!draft) return;
  const store = draftOf(server);
  try {
    await draftParts[name].save(server, draft);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.kind === 'refused') throw new ApiError({ ...problem, fields: problem.fields.map(within(name)) });
    // The next attempt overwrites the change of others, which the page shows now.
    if (problem.kind === 'changed') {
      const base = await draftParts[name].read(server);
      store.set({ ...store.get(), parts: { ...store.get().parts, [name]: { ...draft, base } } });
    }
    throw error;
  }
  const now = store.get();
  if (now.parts[name]?.edited === draft.edited) store.set({ ...now, parts: withoutPart(now.parts, name) });
}

/** The part of a draft that was saved before a later part failed. */
export const savedOf = (sent: Unsaved, left: Unsaved): Unsaved => ({
  changes: without(sent.changes, left.changes),
  parts: without(sent.parts, left.parts),
});

const without = <T extends object>(all: T, left: object): T =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(left, name))) as T;

const within =
  (name: PartName) =>
  <T extends { readonly field: string }>(error: T): T => ({ ...error, field: `${name}.${error.field}` });

export async function undoSaved(server: string, { changes, parts }: Unsaved): Promise<void> {
  if (Object.keys(changes).length > 0) await updateServerSettings(server, updateOf(changes, 'before'));
  for (const name of partNames) await undoPart(server, name, parts);
}

async function undoPart<Name extends PartName>(server: string, name: Name, parts: PartDrafts): Promise<void> {
  const draft = parts[name];
  if (draft) await draftParts[name].save(server, { base: draft.edited, edited: draft.base });
}
