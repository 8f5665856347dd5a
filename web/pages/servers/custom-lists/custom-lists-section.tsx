import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseCustomLists, chosenCustomListsQuery, customListsQuery } from '../../../api/server-extensions.ts';
import type { ChosenCustomLists, CustomList } from '../../../api/wire.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { notifyWithUndo } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { useAction } from '../../../components/use-action.ts';
import { toggleEntry } from '../draft/toggle-entry.ts';
import { useEditor } from '../draft/use-editor.ts';
import { CustomListRow } from './custom-list-row.tsx';
import { EditCustomList } from './edit-custom-list.tsx';

type Selection = ChosenCustomLists['custom_lists'];

/** Custom lists of the account. They are saved separately, because the published settings schema does not include them. */
export function CustomListsSection() {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const lists = useQuery(customListsQuery);
  const chosen = useQuery(chosenCustomListsQuery(server.id));
  const [editing, setEditing] = useState<CustomList | 'new'>();
  const set = (selection: Selection): Promise<ChosenCustomLists> => chooseCustomLists(server.id, selection);
  const undoing = useAction(set);
  const before = chosen.data?.custom_lists ?? [];
  const choosing = useAction(set, {
    onDone: () => notifyWithUndo(t('custom.chosen'), () => undoing.mutate(before)),
  });
  const failed = [lists, chosen].find(({ isPending, data }) => !isPending && !data);
  return (
    <Section title={t('custom.title')} text={t('custom.text')}>
      {(lists.isPending || chosen.isPending) && <LoadingState rows={2} />}
      {failed && <ErrorState error={failed.error} retry={failed.refetch} />}
      {lists.data?.length === 0 && <Text>{t('custom.none')}</Text>}
      {chosen.data && lists.data && lists.data.length > 0 && (
        <div>
          {lists.data.map((list) => (
            <CustomListRow
              key={list.id}
              list={list}
              isOn={before.some(({ id, enabled }) => id === list.id && enabled)}
              isDisabled={!canEdit || choosing.isPending}
              onEdit={() => setEditing(list)}
              onChange={(enabled) =>
                choosing.mutate(toggleEntry(before, [], { id: list.id, enabled }, (one, other) => one.id === other.id))
              }
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
      <EditCustomList list={editing} onClose={() => setEditing(undefined)} />
    </Section>
  );
}
