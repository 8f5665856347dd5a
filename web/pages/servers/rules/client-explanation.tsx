import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../../api/devices.ts';
import { serversQuery } from '../../../api/servers.ts';
import type { Explanation } from '../../../api/wire.ts';
import { useEditor } from '../draft/use-editor.ts';

type Client = NonNullable<Explanation['client']>;
type Match = Client['less_specific'][number];

const kindKeys = {
  mac: 'test.client.kinds.mac',
  address: 'test.client.kinds.address',
  'linked address': 'test.client.kinds.linked',
  'host name': 'test.client.kinds.hostName',
  network: 'test.client.kinds.network',
  'assigned network': 'test.client.kinds.assigned',
  'unknown-clients': 'test.client.kinds.unknown',
} as const;
const hasText = (kind: string): kind is keyof typeof kindKeys => Object.hasOwn(kindKeys, kind);

/** The device and DNS server of a described client, and the properties that matched, the most specific first. */
export function ClientExplanation({ client }: { client: Client }) {
  const { t } = useTranslation('servers');
  const { server: tested } = useEditor();
  const { data: devices = [] } = useQuery(devicesQuery);
  const { data: servers = [] } = useQuery(serversQuery);
  const { device_id: device, dns_server_id: server, identified_by: by, less_specific: others } = client;
  const deviceName = (id: string): string => devices.find((each) => each.id === id)?.name ?? id;
  const serverName = servers.find(({ id }) => id === server)?.name ?? server ?? '';
  const matchText = ({ kind, value, device_id: id }: Match): string =>
    [`${hasText(kind) ? t(kindKeys[kind]) : kind} ${value}`, ...(id === undefined ? [] : [`(${deviceName(id)})`])].join(
      ' ',
    );
  if (!by)
    return (
      <Alert color="orange" variant="light">
        {t('test.client.unknown')}
      </Alert>
    );
  return (
    <Stack gap={2}>
      <Text size="sm">
        {device === undefined
          ? t('test.client.noDevice', { server: serverName, by: matchText(by) })
          : t('test.client.device', { device: deviceName(device), server: serverName, by: matchText(by) })}
      </Text>
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('test.client.others', { others: others.map(matchText).join(', ') })}
        </Text>
      )}
      {server !== tested.id && (
        <Alert color="orange" variant="light">
          {t('test.client.otherServer', { server: serverName, tested: tested.name })}
        </Alert>
      )}
    </Stack>
  );
}
