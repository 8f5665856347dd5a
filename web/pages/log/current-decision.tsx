import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { explanationQuery } from '../../api/log.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { RuleText } from '../../components/rule-text.tsx';
import { useListName } from '../../components/use-list-name.ts';
import classes from './log-details.module.css';
import type { LogRow } from './log-rows.ts';

/** What would become of the same question at this moment, and every rule that has a say in it. */
export function ExplainedNow({ row, server }: { row: LogRow; server: string }) {
  const { t } = useTranslation('log');
  const { data: devices } = useQuery(devicesQuery);
  const nameOf = useListName();
  // A device that has moved since asks another server now.
  const device = devices?.find(({ id, dns_server_id }) => id === row.device_id && dns_server_id === server)?.id;
  const type = row.dns_request_type?.replace(/^Type/, '') ?? 'A';
  const question = { name: row.domain, type, ...(device !== undefined && { device_id: device }) };
  const explained = useQuery({ ...explanationQuery(server, question), enabled: devices !== undefined });
  return (
    <Stack gap="xs" component="section" aria-label={t('explained.title')}>
      <Title order={3}>{t('explained.title')}</Title>
      {explained.isPending && <LoadingState rows={2} />}
      {explained.isError && <ErrorState error={explained.error} retry={explained.refetch} />}
      {explained.data && (
        <>
          <Text size="sm">{t(`explained.verdicts.${explained.data.verdict.kind}`)}</Text>
          {explained.data.filtering !== 'full' && (
            <Text size="sm" c="dimmed">
              {t(explained.data.filtering === 'off' ? 'explained.off' : 'explained.paused')}
            </Text>
          )}
          {explained.data.missing_lists.length > 0 && (
            <Text size="sm" c="dimmed">
              {t('explained.missing', { lists: explained.data.missing_lists.map(nameOf).join(', ') })}
            </Text>
          )}
          {explained.data.rules.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('explained.noRules')}
            </Text>
          )}
          <ul className={classes['rules']}>
            {explained.data.rules.map((rule, place) => (
              // Two rules may be the same; their order says which is which.
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={place}>
                <RuleText rule={rule.rule} />
                <Group gap="xs" justify="space-between">
                  <Text size="xs" c="dimmed">
                    <bdi>{nameOf(rule.list)}</bdi>
                  </Text>
                  <Text size="xs" lang="en">
                    {rule.why}
                  </Text>
                </Group>
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  );
}
