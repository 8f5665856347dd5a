import { Badge, Button, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { filterListsQuery, listHealthQuery } from '../../api/catalogue.ts';
import { acceptFilterList, systemQuery } from '../../api/system.ts';
import type { ListHealth } from '../../api/wire.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { NumberText, TimeAgo, useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { serviceMessage } from '../../components/service-message.ts';
import { useAction } from '../../components/use-action.ts';

/** Lists that are in use or have an error; errors first. */
export function ListStates() {
  const { t } = useTranslation('system');
  const { data, error, isPending, refetch } = useQuery(listHealthQuery);
  return (
    <Section title={t('lists.title')} text={t('lists.text')}>
      {isPending ? (
        <LoadingState rows={4} />
      ) : data ? (
        <Lists lists={data} />
      ) : (
        <ErrorState error={error} retry={refetch} />
      )}
    </Section>
  );
}

function Lists({ lists }: { lists: readonly ListHealth[] }) {
  const { t } = useTranslation('system');
  const { number } = useFormat();
  const { data: catalogue = [] } = useQuery(filterListsQuery);
  const names = new Map(catalogue.map(({ filter_id, name }) => [filter_id, name]));
  const shown = lists
    .filter(({ is_in_use, problem }) => is_in_use || problem !== undefined)
    .sort((one, other) => Number(other.problem !== undefined) - Number(one.problem !== undefined));
  const others = lists.length - shown.length;
  if (shown.length === 0) return <Text size="sm">{t('lists.none')}</Text>;
  return (
    <>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('lists.name')}</Table.Th>
            <Table.Th ta="end">{t('lists.rules')}</Table.Th>
            <Table.Th>{t('lists.updated')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((list) => (
            <Row key={list.filter_id} list={list} name={names.get(list.filter_id) ?? list.filter_id} />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed">
        {t('lists.others', { count: others, number: number(others) })}
      </Text>
    </>
  );
}

function Row({ list, name }: { list: ListHealth; name: string }) {
  const { is_in_use, is_built_in, problem, rules_count, time_updated } = list;
  const { t } = useTranslation('system');
  const isHealthy = problem === undefined;
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <bdi>{name}</bdi>
          <Badge color={isHealthy ? 'teal' : 'orange'} variant="dot" tt="none">
            {is_built_in
              ? t('lists.builtIn')
              : isHealthy
                ? t('lists.well')
                : is_in_use
                  ? t('lists.old')
                  : t('lists.missing')}
          </Badge>
          {problem !== undefined && (
            <Text size="sm">
              <bdi>{serviceMessage(problem)}</bdi>
            </Text>
          )}
          {list.is_held_back && <Accept id={list.filter_id} name={name} />}
        </Stack>
      </Table.Td>
      <Table.Td ta="end">{rules_count === undefined ? '–' : <NumberText value={rules_count} />}</Table.Td>
      <Table.Td>
        {time_updated === undefined ? t('lists.never') : <TimeAgo millis={Date.parse(time_updated)} />}
      </Table.Td>
    </Table.Tr>
  );
}

/** Only for the operator: others cannot read the system status. */
function Accept({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('system');
  const { data: system } = useQuery(systemQuery);
  const accepting = useAction(() => acceptFilterList(id), {
    onDone: ({ is_held_back }) => is_held_back || notifyDone(t('lists.accepted')),
  });
  if (!system) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t('lists.accept', { name })}
      loading={accepting.isPending}
      onClick={() => accepting.mutate()}
    >
      {t('lists.acceptShort')}
    </Button>
  );
}
