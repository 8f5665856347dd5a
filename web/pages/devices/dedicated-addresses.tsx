import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  assignDedicated,
  dedicatedOfDeviceQuery,
  dedicatedQuery,
  releaseDedicated,
  unlinkDedicated,
} from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { AddressLine } from './address-line.tsx';

export function DedicatedAddresses({ device: { id } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const canEdit = useCanEdit();
  const { data: assigned, error, isPending, refetch } = useQuery(dedicatedOfDeviceQuery(id));
  const { data: all = [] } = useQuery(dedicatedQuery);
  const free = all.find(({ device_id }) => device_id === undefined)?.ip;
  const assigning = useAction(() => assignDedicated(id, free), {
    onDone: (ip) => notifyDone(t('dedicated.done', { ip })),
  });
  const unlinking = useAction((ip: string) => unlinkDedicated(id, ip), {
    onDone: (_, ip) => notifyDone(t('dedicated.undone', { ip })),
  });
  const releasing = useAction(releaseDedicated, {
    onDone: (_, ip) => notifyDone(t('dedicated.released', { ip })),
  });
  if (isPending || !assigned)
    return (
      <Section title={t('dedicated.title')}>
        {isPending ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />}
      </Section>
    );
  const addresses = [...assigned.ipv4, ...assigned.ipv6];
  // The operator has no addresses to assign.
  if (addresses.length === 0 && assigned.ipv4_limit.limit === 0) return null;
  return (
    <Section title={t('dedicated.title')} text={t('dedicated.text')}>
      {addresses.length === 0 && <Text>{t('dedicated.none')}</Text>}
      {addresses.map((ip) => (
        <AddressLine key={ip} label={ip.includes(':') ? 'IPv6' : 'IPv4'} address={ip} />
      ))}
      <Group gap="xs">
        {canEdit && (
          <Button variant="default" loading={assigning.isPending} onClick={() => assigning.mutate()}>
            {free === undefined ? t('dedicated.link') : t('dedicated.linkFree', { ip: free })}
          </Button>
        )}
        {canEdit &&
          assigned.ipv4.map((ip) => (
            <Button key={ip} variant="subtle" color="red" onClick={() => unlinking.mutate(ip)}>
              {t('dedicated.unlink', { ip })}
            </Button>
          ))}
        {canEdit && free !== undefined && (
          <Button variant="subtle" color="red" loading={releasing.isPending} onClick={() => releasing.mutate(free)}>
            {t('dedicated.release', { ip: free })}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {t('dedicated.used', { used: assigned.ipv4_limit.used, limit: assigned.ipv4_limit.limit })}
        </Text>
      </Group>
    </Section>
  );
}
