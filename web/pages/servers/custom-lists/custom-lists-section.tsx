import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeCustomLists, chosenCustomListsQuery, customListsQuery } from '../../../api/server-extensions.ts';
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

type Entry = ChosenCustomLists['custom_lists'][number];

/** Custom lists of the account. They are saved separately, because the published settings schema does not include them. */
export function CustomListsSection() {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const lists = useQuery(customListsQuery);
  const chosen = useQuery(chosenCustomListsQuery(server.id));
  const [editing, setEditing] = useState<CustomList | 'new'>();
  const toggle = (entry: Entry): Promise<ChosenCustomLists> =>
    changeCustomLists(server.id, (lists) => toggleEntry(lists, [], entry, (one, other) => one.id === other.id));
  const undoing = useAction(toggle);
  const choosing = useAction(toggle, {
    onDone: (_, { id, enabled }) => notifyWithUndo(t('custom.chosen'), () => undoing.mutate({ id, enabled: !enabled })),
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
              isOn={chosen.data.custom_lists.some(({ id, enabled }) => id === list.id && enabled)}
              isDisabled={!canEdit || choosing.isPending}
              onEdit={() => setEditing(list)}
              onChange={(enabled) => choosing.mutate({ id: list.id, enabled })}
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
