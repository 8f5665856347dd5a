import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShieldPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createCompiledList, customListsQuery } from '../../api/custom-lists.ts';
import { serversQuery } from '../../api/servers.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import type { CompileJob } from './worker-messages.ts';

/** Creates a custom list from the compiled configuration; hidden if the service has no custom lists. */
export function UseAsList({ job }: { job: CompileJob }) {
  const { t } = useTranslation('compiler');
  const [isOpen, { open, close }] = useDisclosure(false);
  const canEdit = useCanEdit();
  const { data: lists } = useQuery(customListsQuery);
  if (!canEdit || !lists) return null;
  const { name } = job.configuration;
  return (
    <>
      <Button size="xs" leftSection={<IconShieldPlus size={16} />} onClick={open}>
        {t('use.button')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t('use.title')}>
        <Form job={job} replacedId={lists.find((list) => list.name === name)?.id} onDone={close} />
      </Dialog>
    </>
  );
}

type FormProps = { readonly job: CompileJob; readonly replacedId: string | undefined; readonly onDone: () => void };

function Form({ job: { configuration }, replacedId, onDone }: FormProps) {
  const { t } = useTranslation(['compiler', 'common']);
  const servers = useQuery(serversQuery);
  const [selected, setSelected] = useState<readonly string[] | undefined>(undefined);
  const { name } = configuration;
  const creating = useMutation({
    mutationFn: createCompiledList,
    onSuccess: () => {
      notifyDone(t('use.done', { name }));
      onDone();
    },
  });
  if (servers.isPending) return <LoadingState rows={3} />;
  if (!servers.data) return <ErrorState error={servers.error} retry={servers.refetch} />;
  const defaults = servers.data.filter((server) => server.default).map(({ id }) => id);
  return (
    <Stack>
      <Text size="sm">{t('use.text')}</Text>
      {replacedId !== undefined && <Text size="sm">{t('use.instead', { name })}</Text>}
      <Checkbox.Group label={t('use.servers')} value={[...(selected ?? defaults)]} onChange={setSelected}>
        <Stack gap="xs" mt="xs">
          {servers.data.map((server) => (
            <Checkbox key={server.id} value={server.id} label={<bdi>{server.name}</bdi>} />
          ))}
        </Stack>
      </Checkbox.Group>
      {creating.isError && <ErrorAlert error={creating.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t('common:cancel')}
        </Button>
        <Button
          loading={creating.isPending}
          onClick={() => creating.mutate({ name, configuration, replacedId, servers: selected ?? defaults })}
        >
          {t('use.submit')}
        </Button>
      </Group>
    </Stack>
  );
}
