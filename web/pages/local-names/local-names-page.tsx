import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { forwardRulesQuery, localRecordsQuery } from '../../api/local-names.ts';
import { serversQuery } from '../../api/servers.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ForwardRulesSection } from './forward-rules-section.tsx';
import { RecordsSection } from './records-section.tsx';

/** Records and forwarding rules of the account. */
export function LocalNamesPage() {
  const { t } = useTranslation('localNames');
  const records = useQuery(localRecordsQuery);
  const rules = useQuery(forwardRulesQuery);
  const servers = useQuery(serversQuery);
  const failed = [records, rules, servers].find(({ isPending, data }) => !isPending && !data);
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} />
      {failed ? (
        <ErrorState error={failed.error} retry={failed.refetch} />
      ) : records.data && rules.data && servers.data ? (
        <Stack>
          <RecordsSection records={records.data} servers={servers.data} />
          <ForwardRulesSection rules={rules.data} servers={servers.data} />
        </Stack>
      ) : (
        <LoadingState />
      )}
    </>
  );
}
