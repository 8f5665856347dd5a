import { ActionIcon, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { IconCheck, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import {
  acceptCustomList,
  refreshCustomList,
  removeCustomList,
  restoreCustomList,
} from '../../../api/server-extensions.ts';
import type { CustomList } from '../../../api/wire.ts';
import { notifyDone, notifyWithUndo } from '../../../components/notify.tsx';
import { useAction } from '../../../components/use-action.ts';
import { useEditor } from '../draft/use-editor.ts';
import { ListChanges } from '../lists/list-changes.tsx';
import { ListHealthSummary } from '../lists/list-health.tsx';
import { ListHits } from '../lists/list-hits.tsx';
import classes from '../lists/list-row.module.css';
import { ListUnique } from '../lists/list-unique.tsx';

type Props = {
  readonly list: CustomList;
  readonly isOn: boolean;
  /** Enabled in the saved settings: the service downloads it. */
  readonly isSaved: boolean;
  readonly isDisabled: boolean;
  readonly onEdit: () => void;
  readonly onChange: (isOn: boolean) => void;
  readonly onRemoved: () => void;
};

export function CustomListRow({ list, isOn, isSaved, isDisabled, onEdit, onChange, onRemoved }: Props) {
  const { t } = useTranslation('servers');
  const { canEdit } = useEditor();
  const { id, name, url } = list;
  const refreshing = useAction(() => refreshCustomList(id), { onDone: () => notifyDone(t('custom.refreshed')) });
  const accepting = useAction(() => acceptCustomList(id), {
    onDone: ({ is_held_back }) => is_held_back || notifyDone(t('custom.accepted')),
  });
  const restoring = useAction(() => restoreCustomList(id));
  const removing = useAction(() => removeCustomList(id), {
    onDone: () => {
      onRemoved();
      notifyWithUndo(t('remove.done', { name }), () => restoring.mutate());
    },
  });
  return (
    <div className={classes['row']}>
      <Switch
        checked={isOn}
        disabled={isDisabled}
        aria-label={name}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Stack gap={2} flex={1} miw={0}>
        <Text fw={500}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed" className={url === undefined ? '' : 'untrusted-text'}>
          {url ?? t(list.rules === undefined ? 'custom.compiled' : 'custom.written')}
        </Text>
        <ListHealthSummary health={list} isOn={isSaved} isUnsaved={isOn && !isSaved} />
        {isOn && <ListChanges kind="custom" id={id} name={name} health={list} />}
        {isOn && <ListHits list={id} />}
        {isOn && <ListUnique list={id} />}
        {canEdit && (
          <Group gap={4}>
            {list.configuration === undefined && (
              <Button size="compact-sm" variant="subtle" leftSection={<IconPencil size={14} />} onClick={onEdit}>
                {t('custom.edit')}
              </Button>
            )}
            {isOn && (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconRefresh size={14} />}
                loading={refreshing.isPending}
                onClick={() => refreshing.mutate()}
              >
                {t('custom.refresh')}
              </Button>
            )}
            {list.is_held_back && (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconCheck size={14} />}
                loading={accepting.isPending}
                onClick={() => accepting.mutate()}
              >
                {t('custom.accept')}
              </Button>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('custom.remove', { name })}
              loading={removing.isPending}
              onClick={() => removing.mutate()}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </Group>
        )}
      </Stack>
    </div>
  );
}
