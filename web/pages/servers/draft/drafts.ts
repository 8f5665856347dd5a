import type { FieldProblem } from '../../../api/api-error.ts';
import { onLeft } from '../../../api/auth-state.ts';
import { createStore } from '../../../api/store.ts';
import type { Changes } from './changes.ts';

/** What is not saved yet, and what the service said against it. */
export type Draft = { readonly changes: Changes; readonly errors: readonly FieldProblem[] };

const none: Draft = { changes: {}, errors: [] };
const PREFIX = 'weir settings of ';
const keyOf = (server: string): string => PREFIX + server;

// For as long as the tab is open: also over a reload, and not for the next person here.
function remembered(server: string): Draft {
  const text = sessionStorage.getItem(keyOf(server));
  return text === null ? none : { changes: JSON.parse(text) as Changes, errors: [] };
}

type DraftStore = ReturnType<typeof createStore<Draft>>;
const drafts = new Map<string, DraftStore>();

export function draftOf(server: string): DraftStore {
  const known = drafts.get(server);
  if (known) return known;
  const store = createStore(remembered(server));
  store.subscribe(() => remember(server, store.get()));
  drafts.set(server, store);
  return store;
}

function remember(server: string, { changes }: Draft): void {
  const isEmpty = Object.keys(changes).length === 0;
  try {
    if (isEmpty) sessionStorage.removeItem(keyOf(server));
    else sessionStorage.setItem(keyOf(server), JSON.stringify(changes));
  } catch {
    // Larger than browsers keep: it lasts as long as the page.
    sessionStorage.removeItem(keyOf(server));
  }
}

export function forgetDraft(server: string): void {
  drafts.get(server)?.set(none);
  sessionStorage.removeItem(keyOf(server));
}

onLeft(() => {
  for (const server of drafts.keys()) forgetDraft(server);
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
});
