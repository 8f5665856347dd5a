import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenCustomListsQuery, customListsQuery } from '../../../api/server-extensions.ts';
import type { ChosenCustomLists, CustomList } from '../../../api/wire.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { forgetCustomList } from '../draft/forget-custom-list.ts';
import { toggleEntry } from '../draft/toggle-entry.ts';
import { useDraftPart } from '../draft/use-draft-part.ts';
import { useEditor } from '../draft/use-editor.ts';
import { CustomListRow } from './custom-list-row.tsx';
import { EditCustomList } from './edit-custom-list.tsx';

type CustomLists = ChosenCustomLists['custom_lists'];

/** Custom lists of the account, and which of them the profile uses. */
export function CustomListsSection() {
  const { t } = useTranslation('servers');
  const { server } = useEditor();
  const lists = useQuery(customListsQuery);
  const chosen = useQuery(chosenCustomListsQuery(server.id));
  const failed = [lists, chosen].find(({ isPending, data }) => !isPending && !data);
  return (
    <Section title={t('custom.title')} text={t('custom.text')}>
      {(lists.isPending || chosen.isPending) && <LoadingState rows={2} />}
      {failed && <ErrorState error={failed.error} retry={failed.refetch} />}
      {lists.data && chosen.data && <Lists lists={lists.data} stored={chosen.data.custom_lists} />}
    </Section>
  );
}

type ListsProps = { readonly lists: readonly CustomList[]; readonly stored: CustomLists };

function Lists({ lists, stored }: ListsProps) {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const { value, change } = useDraftPart('customLists', stored);
  const [editing, setEditing] = useState<CustomList | 'new'>();
  const set = (id: string, enabled: boolean): void =>
    change(toggleEntry(value, stored, { id, enabled }, (one, other) => one.id === other.id));
  return (
    <>
      {lists.length === 0 && <Text>{t('custom.none')}</Text>}
      {lists.length > 0 && (
        <div>
          {lists.map((list) => (
            <CustomListRow
              key={list.id}
              list={list}
              isOn={value.some(({ id, enabled }) => id === list.id && enabled)}
              isSaved={stored.some(({ id, enabled }) => id === list.id && enabled)}
              isDisabled={!canEdit}
              onEdit={() => setEditing(list)}
              onChange={(enabled) => set(list.id, enabled)}
              onRemoved={() => forgetCustomList(server.id, list.id)}
            />
          ))}
        </div>
      )}
      {canEdit && (
        <Group>
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
            {t('custom.add')}
          </Button>
        </Group>
      )}
      <EditCustomList list={editing} onClose={() => setEditing(undefined)} onCreated={({ id }) => set(id, true)} />
    </>
  );
}
