import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '../../api/account.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { Section } from '../../components/section.tsx';

const NO_LIMIT = 2 ** 31 - 1;
const WARN_SHARE = 0.9;
const kinds = ['devices', 'dns_servers', 'user_rules', 'access_rules', 'dedicated_ipv4', 'requests'] as const;

export function Limits() {
  const { t } = useTranslation('account');
  const { data: account, error, isPending, refetch } = useQuery(accountQuery);
  if (isPending || !account)
    return (
      <Section title={t('limits.title')}>
        {isPending ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />}
      </Section>
    );
  return (
    <Section title={t('limits.title')} text={t('limits.text', { plan: account.plan })}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {kinds.map((kind) => (
          <Limit key={kind} label={t(`limits.kinds.${kind}`)} {...account.limits[kind]} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Limit({ label, limit, used }: { label: string; limit: number; used: number }) {
  const { t } = useTranslation('account');
  const { number } = useFormat();
  const isLimited = limit < NO_LIMIT;
  const share = isLimited ? used / Math.max(1, limit) : 0;
  const usage = isLimited
    ? t('limits.of', { used: number(used), limit: number(limit) })
    : t('limits.none', { used: number(used) });
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed">
          {usage}
        </Text>
      </Group>
      {isLimited && (
        <Progress
          value={Math.min(100, 100 * share)}
          color={share >= 1 ? 'red' : share >= WARN_SHARE ? 'orange' : 'water'}
          aria-label={label}
        />
      )}
    </Stack>
  );
}
