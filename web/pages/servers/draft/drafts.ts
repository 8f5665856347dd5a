import type { FieldError } from '../../../api/api-error.ts';
import { onSignOut } from '../../../api/auth-state.ts';
import { createStore } from '../../../api/store.ts';
import type { Changes } from './changes.ts';
import type { PartDrafts } from './draft-parts.ts';

/** Unsaved changes and the field errors of the last attempt to save. */
export type Draft = {
  readonly changes: Changes;
  readonly parts: PartDrafts;
  readonly errors: readonly FieldError[];
};

const emptyDraft: Draft = { changes: {}, parts: {}, errors: [] };

export const isUnsaved = ({ changes, parts }: Pick<Draft, 'changes' | 'parts'>): boolean =>
  Object.keys(changes).length > 0 || Object.keys(parts).length > 0;

const PREFIX = 'weir draft of ';
const keyOf = (server: string): string => PREFIX + server;

// sessionStorage: survives a reload, and is deleted with the tab.
function restore(server: string): Draft {
  const text = sessionStorage.getItem(keyOf(server));
  return text === null ? emptyDraft : { ...emptyDraft, ...(JSON.parse(text) as Pick<Draft, 'changes' | 'parts'>) };
}

type DraftStore = ReturnType<typeof createStore<Draft>>;
const drafts = new Map<string, DraftStore>();

export function draftOf(server: string): DraftStore {
  const existing = drafts.get(server);
  if (existing) return existing;
  const store = createStore(restore(server));
  store.subscribe(() => persist(server, store.get()));
  drafts.set(server, store);
  return store;
}

function persist(server: string, { changes, parts }: Draft): void {
  try {
    if (!isUnsaved({ changes, parts })) sessionStorage.removeItem(keyOf(server));
    else sessionStorage.setItem(keyOf(server), JSON.stringify({ changes, parts }));
  } catch {
    // Over the storage quota: the draft survives only in memory.
    sessionStorage.removeItem(keyOf(server));
  }
}

export function discardDraft(server: string): void {
  drafts.get(server)?.set(emptyDraft);
  sessionStorage.removeItem(keyOf(server));
}

onSignOut(() => {
  for (const server of drafts.keys()) discardDraft(server);
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
});
