import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenCustomListsQuery } from '../../api/server-extensions.ts';
import type { DnsServer } from '../../api/wire.ts';
import { ProtectionState } from '../../components/protection-state.tsx';
import { draftOf, isUnsaved } from './draft/drafts.ts';
import { ProtectionSwitch } from './protection-switch.tsx';
import { countRules } from './rules/rule-language.ts';
import classes from './server-list.module.css';

export function ServerList({ servers }: { servers: readonly DnsServer[] }) {
  const { t } = useTranslation('servers');
  return (
    <Table verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('name')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('filters')}</Table.Th>
          <Table.Th ta="end">{t('protection')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {servers.map((server) => (
          <Row key={server.id} server={server} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ server }: { server: DnsServer }) {
  const { t } = useTranslation('servers');
  const { id, name, settings, default: isDefault, device_ids: devices } = server;
  const { data: custom } = useQuery(chosenCustomListsQuery(id));
  const lists = [...settings.filter_lists_settings.filter_list, ...(custom?.custom_lists ?? [])];
  const rules = useMemo(() => countRules(settings.user_rules_settings.rules), [settings.user_rules_settings.rules]);
  const hasDraft = isUnsaved(draftOf(id).use());
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Anchor
            fw={500}
            renderRoot={(props) => <Link to="/profiles/$serverId/{-$section}" params={{ serverId: id }} {...props} />}
          >
            <bdi>{name}</bdi>
          </Anchor>
          {/* A new account has a profile with the name of the badge. */}
          {isDefault && name !== t('default') && <Badge variant="default">{t('default')}</Badge>}
          {hasDraft && (
            <Badge variant="dot" color="orange">
              {t('unsaved')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t('devices', { count: devices.length })}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">
          {t('lists', { count: lists.filter(({ enabled }) => enabled).length })}
          {' · '}
          {t('ownRules', { count: rules.on })}
          {rules.invalid > 0 && (
            <Text span inherit c="var(--mantine-color-error)">
              {` · ${t('rules.faulty', { count: rules.invalid })}`}
            </Text>
          )}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end" gap="xs" wrap="nowrap" className={classes['state']}>
          <ProtectionState server={id} />
          <ProtectionSwitch server={server} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
