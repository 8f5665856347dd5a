import { Alert, Stack } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
import { type System, systemQuery } from '../../api/system.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Backup } from './backup.tsx';
import { Certificates } from './certificates.tsx';
import { Counters } from './counters.tsx';
import { Doctor } from './doctor.tsx';
import { ListStates } from './list-states.tsx';
import { Nodes } from './nodes.tsx';
import { Program } from './program.tsx';
import { OperatorSettings } from './settings.tsx';
import { Upstreams } from './upstreams.tsx';

export function SystemPage() {
  const { t } = useTranslation('system');
  const system = useQuery(systemQuery);
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} />
      {/* The lists would move when the sections above them arrive. */}
      {system.isPending ? (
        <LoadingState />
      ) : (
        <Stack>
          <OperatorSections {...system} />
          <ListStates />
        </Stack>
      )}
    </>
  );
}

type SystemResult = Pick<UseQueryResult<System>, 'data' | 'error' | 'refetch'>;

/** Sections for the operator; others get a notice. */
function OperatorSections({ data, error, refetch }: SystemResult) {
  const { t } = useTranslation('system');
  if (!data) {
    if (problemOf(error).kind !== 'forbidden') return <ErrorState error={error} retry={refetch} />;
    return (
      <Alert color="water" variant="light" title={t('others.title')}>
        {t('others.text')}
      </Alert>
    );
  }
  return (
    <>
      <Program system={data} />
      {data.dns && <Certificates dns={data.dns} acme={data.acme} />}
      {data.dns && <Upstreams dns={data.dns} />}
      <Counters system={data} />
      <OperatorSettings />
      <Doctor />
      <Nodes />
      <Backup last={data.last_backup} />
    </>
  );
}
