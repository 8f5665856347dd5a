import { ActionIcon, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DnsServer } from '../../api/wire.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';

type Entry = { readonly id: string; readonly dns_server_id?: string };

type Props<T extends Entry> = {
  readonly entries: readonly T[];
  readonly servers: readonly DnsServer[];
  readonly titles: { readonly name: string; readonly content: string };
  readonly nameOf: (entry: T) => string;
  readonly contentOf: (entry: T) => ReactNode;
  readonly onEdit: (entry: T) => void;
  readonly onRemove: (entry: T) => void;
};

/** Table of records or rules with buttons to edit and remove each. */
export function EntryTable<T extends Entry>({ entries, servers, titles, ...props }: Props<T>) {
  const { t } = useTranslation('localNames');
  const canEdit = useCanEdit();
  const serverName = ({ dns_server_id: id }: Entry): string =>
    id === undefined ? t('allServers') : (servers.find((server) => server.id === id)?.name ?? id);
  return (
    <Table verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{titles.name}</Table.Th>
          <Table.Th visibleFrom="sm">{titles.content}</Table.Th>
          <Table.Th visibleFrom="sm">{t('server')}</Table.Th>
          {canEdit && (
            <Table.Th w={84}>
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => {
          const name = props.nameOf(entry);
          return (
            <Table.Tr key={entry.id}>
              <Table.Td>
                <Text span fw={500} className="untrusted-text">
                  {name}
                </Text>
                <Text component="div" hiddenFrom="sm">
                  {props.contentOf(entry)}
                </Text>
                <Text size="sm" c="dimmed" hiddenFrom="sm">
                  <bdi>{serverName(entry)}</bdi>
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">{props.contentOf(entry)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <bdi>{serverName(entry)}</bdi>
              </Table.Td>
              {canEdit && (
                <Table.Td>
                  <Group gap={4} wrap="nowrap" justify="flex-end">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('editName', { name })}
                      onClick={() => props.onEdit(entry)}
                    >
                      <IconPencil size={16} stroke={1.6} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('removeName', { name })}
                      onClick={() => props.onRemove(entry)}
                    >
                      <IconTrash size={16} stroke={1.6} />
                    </ActionIcon>
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
