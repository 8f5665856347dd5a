import { createContext, useContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DnsServer, ServerSettings, ServerSettingsUpdate } from '../../../api/wire.ts';
import { serviceMessage } from '../../../components/service-message.ts';
import { useCanEdit } from '../../../components/use-can-edit.ts';
import { settingsWith, withChanges } from './changes.ts';
import { type Draft, draftOf } from './drafts.ts';

export type Editor = {
  readonly server: DnsServer;
  /** Saved settings with unsaved changes applied. */
  readonly settings: ServerSettings;
  readonly draft: Draft;
  readonly canEdit: boolean;
  readonly change: (update: ServerSettingsUpdate) => void;
  /** Error that the service reported for a field or its lines. */
  readonly errorOf: (path: string) => string | undefined;
};

const EditorContext = createContext<Editor | undefined>(undefined);
export const EditorProvider = EditorContext.Provider;

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('settings are edited inside the page of a server');
  return editor;
}

const isWithin = (field: string, path: string): boolean =>
  field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);

export function useEditorOf(server: DnsServer): Editor {
  const { t } = useTranslation('servers');
  const canEdit = useCanEdit();
  const store = draftOf(server.id);
  const draft = store.use();
  return useMemo(() => {
    const errorOf = (path: string): string | undefined => {
      const matching = draft.errors.filter(({ field }) => isWithin(field, path));
      const texts = matching.map(({ field, message }) => {
        const line = /^\[(\d+)\]/.exec(field.slice(path.length))?.[1];
        const text = serviceMessage(message);
        return line === undefined ? text : t('lineError', { line: Number(line) + 1, message: text });
      });
      return texts.length === 0 ? undefined : texts.join('; ');
    };
    return {
      server,
      settings: settingsWith(server.settings, draft.changes),
      draft,
      canEdit,
      errorOf,
      change(update) {
        const { changes, errors, ...rest } = store.get();
        const next = withChanges(changes, server.settings, update);
        // Errors of edited fields are outdated; the service reports them again if they remain.
        const isTouched = (field: string): boolean =>
          [...Object.keys(changes), ...Object.keys(next)].some(
            (path) => isWithin(field, path) && next[path]?.wanted !== changes[path]?.wanted,
          );
        store.set({ ...rest, changes: next, errors: errors.filter(({ field }) => !isTouched(field)) });
      },
    };
  }, [server, draft, canEdit, store, t]);
}
