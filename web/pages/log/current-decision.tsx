import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { explanationQuery } from '../../api/log.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { LocalExplanation } from '../../components/local-explanation.tsx';
import { MissingLists } from '../../components/missing-lists.tsx';
import { RuleText } from '../../components/rule-text.tsx';
import { serviceMessage } from '../../components/service-message.ts';
import { useListName } from '../../components/use-list-name.ts';
import classes from './log-details.module.css';
import type { LogRow } from './log-rows.ts';

/** Decision for the same query with the current settings, with all matching rules. */
export function CurrentDecision({ row, server }: { row: LogRow; server: string }) {
  const { t } = useTranslation(['log', 'protection']);
  const { data: devices } = useQuery(devicesQuery);
  const nameOf = useListName();
  // A device that has moved to another server is not sent along.
  const device = devices?.find(({ id, dns_server_id }) => id === row.device_id && dns_server_id === server)?.id;
  const type = row.dns_request_type?.replace(/^Type/, '') ?? 'A';
  const question = { name: row.domain, type, ...(device !== undefined && { device_id: device }) };
  const explanation = useQuery({ ...explanationQuery(server, question), enabled: devices !== undefined });
  return (
    <Stack gap="xs" component="section" aria-label={t('explained.title')}>
      <Title order={3}>{t('explained.title')}</Title>
      {explanation.isPending && <LoadingState rows={2} />}
      {explanation.isError && <ErrorState error={explanation.error} retry={explanation.refetch} />}
      {explanation.data && (
        <>
          <Text size="sm">{t(`explained.verdicts.${explanation.data.verdict.kind}`)}</Text>
          {explanation.data.filtering !== 'full' && (
            <Text size="sm" c="dimmed">
              {t(explanation.data.filtering === 'off' ? 'explained.off' : 'explained.paused')}
            </Text>
          )}
          {explanation.data.missing_lists.length > 0 && (
            <div>
              <Text size="sm" c="dimmed">
                {t('protection:missing.notChecked')}
              </Text>
              <MissingLists lists={explanation.data.missing_lists} />
            </div>
          )}
          <LocalExplanation explanation={explanation.data} />
          {explanation.data.rules.length === 0 && explanation.data.verdict.kind !== 'rewrite' && (
            <Text size="sm" c="dimmed">
              {t('explained.noRules')}
            </Text>
          )}
          <ul className={classes['rules']}>
            {explanation.data.rules.map((rule, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rules may repeat; their order does not change
              <li key={index}>
                <RuleText rule={rule.rule} />
                <Text size="xs" c="dimmed">
                  <bdi>{nameOf(rule.list)}</bdi>
                </Text>
                <Text size="xs">{serviceMessage(rule.why)}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </Stack>
  );
}
