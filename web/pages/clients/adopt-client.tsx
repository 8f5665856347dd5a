import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adoptClient } from '../../api/network-clients.ts';
import { serversQuery } from '../../api/servers.ts';
import type { DnsServer, NetworkClient, NetworkClientAdoption } from '../../api/wire.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { DeviceFields } from '../devices/device-fields.tsx';
import { useClientName } from './use-client-name.ts';

type Props = { readonly client: NetworkClient; readonly onClose: () => void };

export function AdoptClient({ client, onClose }: Props) {
  const { t } = useTranslation('clients');
  const servers = useQuery(serversQuery);
  return (
    <Dialog opened onClose={onClose} title={t('adopt.title')}>
      {servers.isPending ? (
        <LoadingState rows={3} />
      ) : servers.data ? (
        <Form client={client} servers={servers.data} onClose={onClose} />
      ) : (
        <ErrorState error={servers.error} retry={servers.refetch} />
      )}
    </Dialog>
  );
}

const MAX_NAME = 64;
const fields = ['name', 'device_type', 'dns_server_id', 'identify_by'];

/** The first label of a host name: `tv.lan` is `tv`. */
const suggestedName = (client: NetworkClient, name: string): string =>
  (client.name === undefined ? name : name.split('.', 1)[0]!).slice(0, MAX_NAME);

function Form({ client, servers, onClose }: Props & { servers: readonly DnsServer[] }) {
  const { t } = useTranslation(['clients', 'common']);
  const clientName = useClientName();
  const { mac, addresses, is_private_mac: isPrivateMac } = client;
  const [adoption, setAdoption] = useState<NetworkClientAdoption>(() => ({
    name: suggestedName(client, clientName(client)),
    device_type: 'UNKNOWN',
    dns_server_id: client.dns_server_id ?? servers.find((server) => server.default)?.id ?? '',
    identify_by: mac !== undefined && (!isPrivateMac || addresses.length === 0) ? 'mac' : 'address',
  }));
  const adopting = useMutation({
    mutationFn: () => adoptClient(client.id, adoption),
    onSuccess: () => {
      notifyDone(t('adopt.done', { name: adoption.name }));
      onClose();
    },
  });
  const errors = fieldErrors(adopting.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        adopting.mutate();
      }}
    >
      <Stack>
        <DeviceFields
          value={adoption}
          onChange={(value) => setAdoption({ ...adoption, ...value })}
          servers={servers}
          errors={errors}
        />
        <Radio.Group
          label={t('adopt.by')}
          value={adoption.identify_by}
          error={errors['identify_by']}
          onChange={(value) => setAdoption({ ...adoption, identify_by: value as 'mac' | 'address' })}
        >
          <Stack gap="xs" mt="xs">
            {mac !== undefined && (
              <Radio
                value="mac"
                label={t('adopt.mac', { mac })}
                description={isPrivateMac ? t('adopt.privateMacHint') : t('adopt.macHint')}
              />
            )}
            {addresses[0] !== undefined && (
              <Radio
                value="address"
                label={t('adopt.address', { address: addresses[0] })}
                description={t('adopt.addressHint')}
              />
            )}
          </Stack>
        </Radio.Group>
        {mac === undefined && (
          <Text size="sm" c="dimmed">
            {t('adopt.noMac')}
          </Text>
        )}
        {adopting.isError && <ErrorAlert error={adopting.error} except={fields} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={adopting.isPending}>
            {t('adopt.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
