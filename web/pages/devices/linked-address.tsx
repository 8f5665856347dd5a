import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { linkAddress, linkedAddressQuery, unlinkAddress } from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { proofCommand } from '../connect/settings-text.ts';
import { usePlainServer } from '../connect/use-plain-server.ts';
import { AddressLine } from './address-line.tsx';

const isAddress = (text: string): boolean => text.includes(':') || /^[\d.]+$/.test(text);

export function LinkedAddress({ device }: { device: Device }) {
  const { id } = device;
  const { t } = useTranslation('devices');
  const canEdit = useCanEdit();
  const server = usePlainServer(device);
  const { data: linked, error, isPending, refetch } = useQuery(linkedAddressQuery(id));
  const unlinking = useAction(() => unlinkAddress(id), { onDone: () => notifyDone(t('linked.undone')) });
  if (isPending || !linked)
    return (
      <Section title={t('linked.title')}>
        {isPending ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />}
      </Section>
    );
  return (
    <Section title={t('linked.title')} text={t('linked.text')}>
      <Group justify="space-between">
        <Stack gap={0}>
          <Text>{linked.ip === undefined ? t('linked.none') : t('linked.current', { ip: linked.ip })}</Text>
          {linked.ddns !== undefined && (
            <Text size="sm" c="dimmed">
              {t('linked.by', { name: linked.ddns })}
            </Text>
          )}
        </Stack>
        {canEdit && (linked.ip ?? linked.pending_ip ?? linked.ddns) !== undefined && (
          <Button variant="default" loading={unlinking.isPending} onClick={() => unlinking.mutate()}>
            {t('linked.unlink')}
          </Button>
        )}
      </Group>
      {linked.pending_ip !== undefined && linked.proof_name !== undefined && (
        <PendingAddress ip={linked.pending_ip} command={proofCommand(server, linked.proof_name)} />
      )}
      {canEdit && <LinkForm id={id} />}
      {linked.link_url !== undefined && (
        <Stack gap={2}>
          <AddressLine label={t('linked.url')} address={linked.link_url} />
          <Text size="sm" c="dimmed">
            {t('linked.urlHint')}
          </Text>
        </Stack>
      )}
    </Section>
  );
}

function PendingAddress({ ip, command }: { ip: string; command: string }) {
  const { t } = useTranslation('devices');
  return (
    <Alert title={t('linked.pending', { ip })}>
      <Stack gap="xs">
        <Text size="sm">{t('linked.pendingText')}</Text>
        <CodeBlock text={command} label={t('linked.proof')} />
      </Stack>
    </Alert>
  );
}

function LinkForm({ id }: { id: string }) {
  const { t } = useTranslation('devices');
  const [typed, setTyped] = useState('');
  const linking = useMutation({
    mutationFn: (text: string) => linkAddress(id, isAddress(text) ? { ip: text } : { ddns: text }),
    onSuccess: ({ pending_ip, ip }) => {
      setTyped('');
      if (pending_ip === undefined && ip !== undefined) notifyDone(t('linked.done'));
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        linking.mutate(typed.trim());
      }}
    >
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('linked.ip')}
            placeholder={t('linked.ipHint')}
            autoComplete="off"
            flex={1}
            miw={200}
            maw={420}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={typed.trim() === ''} loading={linking.isPending}>
            {t('linked.submit')}
          </Button>
        </Group>
        {linking.isError && <ErrorAlert error={linking.error} />}
      </Stack>
    </form>
  );
}
