import { Badge, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { System } from '../../api/system.ts';
import { useFormat } from '../../components/format.tsx';
import { Section } from '../../components/section.tsx';

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
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          <span className="untrusted-text" dir="ltr">
            {upstream}
          </span>
          <Badge color={is_in ? 'teal' : 'orange'} variant="dot" tt="none">
            {is_in ? t('upstreams.in') : t('upstreams.out')}
          </Badge>
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
