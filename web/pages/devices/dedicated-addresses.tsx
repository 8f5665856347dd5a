import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { dedicatedOfDeviceQuery, dedicatedQuery, giveDedicated, takeDedicated } from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useMayChange } from '../../components/use-can-edit.ts';
import { AddressLine } from './address-line.tsx';

export function DedicatedAddresses({ device: { id } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const mayChange = useMayChange();
  const { data: own, error, isPending, refetch } = useQuery(dedicatedOfDeviceQuery(id));
  const { data: all = [] } = useQuery(dedicatedQuery);
  const free = all.find(({ device_id }) => device_id === undefined)?.ip;
  const giving = useAction(() => giveDedicated(id, free), {
    onDone: (ip) => notifyDone(t('dedicated.done', { ip })),
  });
  const taking = useAction((ip: string) => takeDedicated(id, ip), {
    onDone: (_, ip) => notifyDone(t('dedicated.undone', { ip })),
  });
  if (isPending || !own)
    return (
      <Section title={t('dedicated.title')}>
        {isPending ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />}
      </Section>
    );
  const addresses = [...own.ipv4, ...own.ipv6];
  return (
    <Section title={t('dedicated.title')} text={t('dedicated.text')}>
      {addresses.length === 0 && <Text>{t('dedicated.none')}</Text>}
      {addresses.map((ip) => (
        <AddressLine key={ip} label={ip.includes(':') ? 'IPv6' : 'IPv4'} address={ip} />
      ))}
      <Group gap="xs">
        {mayChange && (
          <Button variant="default" loading={giving.isPending} onClick={() => giving.mutate()}>
            {free === undefined ? t('dedicated.link') : t('dedicated.linkFree', { ip: free })}
          </Button>
        )}
        {mayChange &&
          own.ipv4.map((ip) => (
            <Button key={ip} variant="subtle" color="red" onClick={() => taking.mutate(ip)}>
              {t('dedicated.unlink', { ip })}
            </Button>
          ))}
        <Text size="sm" c="dimmed">
          {t('dedicated.used', { used: own.ipv4_limit.used, limit: own.ipv4_limit.limit })}
        </Text>
      </Group>
    </Section>
  );
}
