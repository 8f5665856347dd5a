import { Button, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { clearCache, type System } from '../../api/system.ts';
import { useFormat } from '../../components/format.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { Stats } from '../../components/stats.tsx';
import { useAction } from '../../components/use-action.ts';
import { useBytes } from '../../components/use-bytes.ts';

const packets = ['received', 'answered', 'missed', 'dropped', 'sendFailed', 'oversized', 'malformed'] as const;

/** Cache, packet and query-log counters. */
export function Counters({ system: { dns, records } }: { system: System }) {
  const { t } = useTranslation('system');
  const { number } = useFormat();
  const bytes = useBytes();
  const lost = Object.entries(records.dropped).filter(([, count]) => count > 0);
  return (
    <Section title={t('counters.title')} text={t('counters.text')} actions={dns && <ClearCache />}>
      {dns && (
        <Stats
          stats={[
            { label: t('counters.accounts'), value: number(dns.accounts) },
            { label: t('counters.devices'), value: number(dns.devices) },
            { label: t('counters.customLists'), value: number(dns.custom_lists) },
            { label: t('counters.cacheEntries'), value: number(dns.cache_entries) },
            { label: t('counters.cacheBytes'), value: bytes(dns.cache_bytes) },
            ...Object.entries(dns.udp).map(([name, count]) => ({
              label: packetText(name),
              value: number(count),
            })),
          ]}
        />
      )}
      <Stats
        stats={[
          { label: t('counters.written'), value: number(records.written) },
          { label: t('counters.stored'), value: number(records.stored) },
          { label: t('counters.waiting'), value: number(records.waiting) },
          { label: t('counters.lag'), value: number(records.lag_ms, { style: 'unit', unit: 'millisecond' }) },
        ]}
      />
      {lost.length > 0 && (
        <>
          <Text size="sm">{t('counters.lost')}</Text>
          <List size="sm">
            {lost.map(([reason, count]) => (
              <List.Item key={reason}>
                <bdi>{reason}</bdi>: {number(count)}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Section>
  );

  function packetText(name: string): string {
    const packet = packets.find((kind) => kind === name);
    return packet ? t(`packets.${packet}`) : name;
  }
}

function ClearCache() {
  const { t } = useTranslation('system');
  const clearing = useAction(clearCache, { onDone: () => notifyDone(t('counters.cleared')) });
  return (
    <Button variant="default" loading={clearing.isPending} onClick={() => clearing.mutate()}>
      {t('counters.clear')}
    </Button>
  );
}
