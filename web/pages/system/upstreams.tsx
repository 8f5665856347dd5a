import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type System, testUpstream } from '../../api/system.ts';
import { useFormat } from '../../components/format.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';

type Dns = NonNullable<System['dns']>;

/** Upstream servers with latency and counters. */
export function Upstreams({ dns }: { dns: Dns }) {
  const { t } = useTranslation('system');
  return (
    <Section title={t('upstreams.title')} text={t('upstreams.text')}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('upstreams.server')}</Table.Th>
            <Table.Th ta="end">{t('upstreams.latency')}</Table.Th>
            <Table.Th ta="end" visibleFrom="sm">
              {t('upstreams.asked')}
            </Table.Th>
            <Table.Th ta="end" visibleFrom="sm">
              {t('upstreams.answered')}
            </Table.Th>
            <Table.Th ta="end" visibleFrom="sm">
              {t('upstreams.failed')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {dns.upstreams.map((upstream) => (
            <Row key={upstream.upstream} upstream={upstream} />
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Row({
  upstream: { upstream, is_in, problem, latency_ms, ...counts },
}: {
  upstream: Dns['upstreams'][number];
}) {
  const { t } = useTranslation('system');
  const { number } = useFormat();
  const badge = badgeOf(is_in, counts.asked);
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <span className="untrusted-text" dir="ltr">
            {upstream}
          </span>
          <Group gap="xs">
            <Badge color={badge.color} variant="dot" tt="none">
              {t(`upstreams.${badge.text}`)}
            </Badge>
            <Test upstream={upstream} />
          </Group>
          <Text size="sm" c="dimmed" hiddenFrom="sm">
            {t('upstreams.counts', {
              asked: number(counts.asked),
              answered: number(counts.answered),
              failed: number(counts.failed),
            })}
          </Text>
          {problem !== undefined && (
            <Text size="sm">
              <bdi>{problem}</bdi>
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td ta="end">
        {latency_ms === undefined ? '–' : number(latency_ms, { style: 'unit', unit: 'millisecond' })}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm">
        {number(counts.asked)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm">
        {number(counts.answered)}
      </Table.Td>
      <Table.Td ta="end" visibleFrom="sm">
        {number(counts.failed)}
      </Table.Td>
    </Table.Tr>
  );
}

/** An upstream that was not asked is not known to respond. */
function badgeOf(isIn: boolean, queryCount: number) {
  if (!isIn) return { color: 'orange', text: 'out' } as const;
  return queryCount === 0 ? ({ color: 'gray', text: 'unasked' } as const) : ({ color: 'teal', text: 'in' } as const);
}

function Test({ upstream }: { upstream: string }) {
  const { t } = useTranslation('system');
  const { number } = useFormat();
  const testing = useAction(() => testUpstream(upstream));
  const result = testing.data;
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={t('upstreams.testNamed', { upstream })}
        loading={testing.isPending}
        onClick={() => testing.mutate()}
      >
        {t('upstreams.test')}
      </Button>
      <Text size="sm" role="status" className="untrusted-text">
        {result?.is_answered &&
          t('upstreams.tested', { time: number(result.time_ms ?? 0, { style: 'unit', unit: 'millisecond' }) })}
        {result?.is_answered === false && t('upstreams.notTested', { problem: result.problem ?? '' })}
      </Text>
    </>
  );
}
