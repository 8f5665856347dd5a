import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShieldPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createCompiledList, customListsQuery } from '../../api/custom-lists.ts';
import { serversQuery } from '../../api/servers.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNote } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useMayChange } from '../../components/use-can-edit.ts';
import type { Order } from './worker-messages.ts';

/** Has DNS servers filter with what was compiled; not offered where the service keeps no such lists. */
export function UseAsList({ order }: { order: Order }) {
  const { t } = useTranslation('compiler');
  const [isOpen, { open, close }] = useDisclosure(false);
  const mayChange = useMayChange();
  const { data: lists } = useQuery(customListsQuery);
  if (!mayChange || !lists) return null;
  const { name } = order.configuration;
  return (
    <>
      <Button size="xs" leftSection={<IconShieldPlus size={16} />} onClick={open}>
        {t('use.button')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t('use.title')}>
        <Form order={order} instead={lists.find((list) => list.name === name)?.id} onDone={close} />
      </Dialog>
    </>
  );
}

type FormProps = { readonly order: Order; readonly instead: string | undefined; readonly onDone: () => void };

function Form({ order: { configuration }, instead, onDone }: FormProps) {
  const { t } = useTranslation(['compiler', 'common']);
  const servers = useQuery(serversQuery);
  const [chosen, setChosen] = useState<readonly string[] | undefined>(undefined);
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
  const usual = servers.data.filter((server) => server.default).map(({ id }) => id);
  return (
    <Stack>
      <Text size="sm">{t('use.text')}</Text>
      {instead !== undefined && <Text size="sm">{t('use.instead', { name })}</Text>}
      <Checkbox.Group label={t('use.servers')} value={[...(chosen ?? usual)]} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {servers.data.map((server) => (
            <Checkbox key={server.id} value={server.id} label={<bdi>{server.name}</bdi>} />
          ))}
        </Stack>
      </Checkbox.Group>
      {creating.isError && <ProblemNote error={creating.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t('common:cancel')}
        </Button>
        <Button
          loading={creating.isPending}
          onClick={() => creating.mutate({ name, configuration, instead, servers: chosen ?? usual })}
        >
          {t('use.submit')}
        </Button>
      </Group>
    </Stack>
  );
}
