import { ActionIcon, Anchor, Button, Group, Table, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { removeClient } from '../../api/network-clients.ts';
import type { DnsServer, NetworkClient } from '../../api/wire.ts';
import { NumberText, TimeAgo } from '../../components/format.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { logOfClient } from './log-of-client.ts';
import { useClientName } from './use-client-name.ts';

type Props = {
  readonly clients: readonly NetworkClient[];
  readonly servers: readonly DnsServer[];
  readonly onAdopt: (client: NetworkClient) => void;
};

export function ClientList({ clients, servers, onAdopt }: Props) {
  const { t } = useTranslation('clients');
  const nameOf = new Map(servers.map(({ id, name }) => [id, name]));
  return (
    <Table verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('name')}</Table.Th>
          <Table.Th visibleFrom="md">{t('mac')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('lastSeen')}</Table.Th>
          <Table.Th visibleFrom="lg" ta="end">
            {t('queries')}
          </Table.Th>
          <Table.Th visibleFrom="lg">{t('server')}</Table.Th>
          <Table.Th ta="end">{t('device')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {clients.map((client) => (
          <Row
            key={client.id}
            client={client}
            server={nameOf.get(client.dns_server_id ?? '') ?? ''}
            onAdopt={onAdopt}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

type RowProps = { readonly client: NetworkClient; readonly server: string; readonly onAdopt: Props['onAdopt'] };

function Row({ client, server, onAdopt }: RowProps) {
  const { t } = useTranslation('clients');
  const clientName = useClientName();
  const { addresses, last_seen_millis: lastSeen } = client;
  const name = clientName(client);
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Text>
        {addresses[0] !== undefined && addresses[0] !== name && (
          <Text size="sm" c="dimmed" title={addresses.join('\n')} style={{ overflowWrap: 'anywhere' }}>
            {addresses[0]}
            {addresses.length > 1 && ` ${t('moreAddresses', { count: addresses.length - 1 })}`}
          </Text>
        )}
        <Text size="sm" c="dimmed" hiddenFrom="md" component="div">
          <Mac client={client} />
        </Text>
        <Text size="sm" c="dimmed" hiddenFrom="sm">
          <TimeAgo millis={lastSeen} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Mac client={client} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <TimeAgo millis={lastSeen} />
      </Table.Td>
      <Table.Td visibleFrom="lg" ta="end">
        <NumberText value={client.queries_last_day} />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <bdi>{server}</bdi>
      </Table.Td>
      <Table.Td>
        <Actions client={client} name={name} onAdopt={onAdopt} />
      </Table.Td>
    </Table.Tr>
  );
}

function Mac({ client: { mac, vendor, is_private_mac: isPrivate } }: { client: NetworkClient }) {
  const { t } = useTranslation('clients');
  if (mac === undefined) return null;
  return (
    <>
      <Text span size="sm" ff="monospace">
        {mac}
      </Text>
      <Text size="sm" c="dimmed">
        {isPrivate ? t('privateMac') : <bdi>{vendor}</bdi>}
      </Text>
    </>
  );
}

function Actions({ client, name, onAdopt }: { client: NetworkClient; name: string; onAdopt: Props['onAdopt'] }) {
  const { t } = useTranslation('clients');
  const canEdit = useCanEdit();
  const removing = useAction(() => removeClient(client.id), { onDone: () => notifyDone(t('removed', { name })) });
  const { device_id: device } = client;
  const log = logOfClient(client);
  const logLink = log && (
    <Anchor size="sm" renderRoot={(props) => <Link to="/log" search={log} {...props} />}>
      {t('log')}
    </Anchor>
  );
  return (
    <Group justify="flex-end" gap="xs">
      {device !== undefined ? (
        <>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/devices/$deviceId" params={{ deviceId: device }} {...props} />}
          >
            {t('openDevice')}
          </Anchor>
          {logLink}
        </>
      ) : !canEdit ? (
        logLink
      ) : (
        <>
          <Group gap="xs" wrap="nowrap">
            {logLink}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('remove', { name })}
              loading={removing.isPending}
              onClick={() => removing.mutate(undefined)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          <Button
            size="compact-sm"
            variant="light"
            aria-label={t('adoptNamed', { name })}
            onClick={() => onAdopt(client)}
          >
            {t('adopt.button')}
          </Button>
        </>
      )}
    </Group>
  );
}
