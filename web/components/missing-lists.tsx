import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listHealthQuery, safetyListsQuery } from '../api/catalogue.ts';
import { customListsQuery } from '../api/server-extensions.ts';
import type { SafetyList } from '../api/wire.ts';
import { isSafetyList, settingOfSafetyList } from './safety-lists.ts';
import { serviceMessage } from './service-message.ts';
import { useListName } from './use-list-name.ts';

type Cause = { readonly kind: 'loading' | 'failed' | 'no_list'; readonly problem: string };

const causeOf = (problem: string | undefined): Cause =>
  problem === undefined ? { kind: 'loading', problem: '' } : { kind: 'failed', problem };

const causeOfSafety = (list: SafetyList | undefined): Cause =>
  list?.state === 'no_list' ? { kind: 'no_list', problem: '' } : causeOf(list?.problem);

/** Why lists are not loaded: a line for each cause. */
export function MissingLists({ lists }: { lists: readonly string[] }) {
  const { t } = useTranslation('protection');
  const nameOf = useListName();
  const safety = useQuery({ ...safetyListsQuery, enabled: lists.some(isSafetyList) });
  const health = useQuery({ ...listHealthQuery, enabled: !lists.every(isSafetyList) });
  const custom = useQuery(customListsQuery);
  // Of the height of a line: the texts below must not move.
  if (safety.isLoading || health.isLoading || custom.isLoading) return <Skeleton h={20} w="60%" />;
  const causeOfList = (id: string): Cause =>
    isSafetyList(id)
      ? causeOfSafety(safety.data?.find(({ setting }) => setting === settingOfSafetyList[id]))
      : causeOf([...(health.data ?? []), ...(custom.data ?? [])].find((list) => idOf(list) === id)?.problem);
  const causes = Map.groupBy(lists, (id) => {
    const { kind, problem } = causeOfList(id);
    return t(`missing.${kind}`, { lists: '\n', problem: serviceMessage(problem) });
  });
  return [...causes].map(([text, ids]) => (
    <Text key={text} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text.replace('\n', ids.map(nameOf).join(', '))}
    </Text>
  ));
}

const idOf = (list: { readonly id: string } | { readonly filter_id: string }): string =>
  'id' in list ? list.id : list.filter_id;
