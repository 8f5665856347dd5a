import { createContext, useContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DnsServer, ServerSettings, ServerSettingsUpdate } from '../../../api/wire.ts';
import { useMayChange } from '../../../components/use-can-edit.ts';
import { settingsWith, withChanges } from './changes.ts';
import { type Draft, draftOf } from './drafts.ts';

export type Editor = {
  readonly server: DnsServer;
  /** As they will be when all is saved. */
  readonly settings: ServerSettings;
  readonly draft: Draft;
  readonly mayChange: boolean;
  readonly change: (update: ServerSettingsUpdate) => void;
  /** What the service said against a field, or against lines of it. */
  readonly errorOf: (path: string) => string | undefined;
};

const EditorContext = createContext<Editor | undefined>(undefined);
export const EditorProvider = EditorContext.Provider;

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('settings are edited inside the page of a server');
  return editor;
}

const isUnder = (field: string, path: string): boolean =>
  field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);

export function useEditorOf(server: DnsServer): Editor {
  const { t } = useTranslation('servers');
  const mayChange = useMayChange();
  const store = draftOf(server.id);
  const draft = store.use();
  return useMemo(() => {
    const errorOf = (path: string): string | undefined => {
      const found = draft.errors.filter(({ field }) => isUnder(field, path));
      const texts = found.map(({ field, message }) => {
        const line = /^\[(\d+)\]/.exec(field.slice(path.length))?.[1];
        return line === undefined ? message : t('lineError', { line: Number(line) + 1, message });
      });
      return texts.length === 0 ? undefined : texts.join('; ');
    };
    return {
      server,
      settings: settingsWith(server.settings, draft.changes),
      draft,
      mayChange,
      errorOf,
      change(update) {
        const { changes, errors } = store.get();
        const next = withChanges(changes, server.settings, update);
        // Lines have moved, and what was wrong may be right now: the service says so when it is asked again.
        const isTouched = (field: string): boolean =>
          [...Object.keys(changes), ...Object.keys(next)].some(
            (path) => isUnder(field, path) && next[path]?.wanted !== changes[path]?.wanted,
          );
        store.set({ changes: next, errors: errors.filter(({ field }) => !isTouched(field)) });
      },
    };
  }, [server, draft, mayChange, store, t]);
}
