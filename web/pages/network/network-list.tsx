import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
import { updateNetworks } from '../../api/networks.ts';
import type { DnsServer, Networks, NetworksUpdate } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';

type Row = Networks['networks'][number] & { readonly key: number };
type Props = { readonly networks: Networks; readonly servers: readonly DnsServer[] };

/** The DNS server that all private networks use, which are shown as one; undefined if they differ or some are missing. */
function commonServer(rows: readonly Row[], count: number): string | undefined {
  const [server, ...others] = new Set(rows.map(({ dns_server_id }) => dns_server_id));
  return rows.length === count && others.length === 0 ? server : undefined;
}

export function NetworkList({ networks, servers }: Props) {
  const { t } = useTranslation('network');
  const canEdit = useCanEdit();
  const { networks: stored, private_networks: privateNetworks } = networks;
  const [isEach, each] = useDisclosure(false);
  const [draft, setDraft] = useState<{ readonly base: NetworksUpdate; readonly rows: readonly Row[] }>();
  const rows = draft?.rows ?? stored.map((row, key) => ({ ...row, key }));
  const setRows = (edited: readonly Row[]): void =>
    setDraft({ base: draft?.base ?? { networks: stored }, rows: edited });
  const saving = useMutation({
    mutationFn: (base: NetworksUpdate) =>
      updateNetworks(base, { networks: rows.map(({ network, dns_server_id }) => ({ network, dns_server_id })) }),
    onSuccess: () => {
      setDraft(undefined);
      notifyDone(t('list.saved'));
    },
  });
  // After a conflict the networks have been read again, and saving overwrites the change of others.
  const isOvertaken = saving.isError && problemOf(saving.error).kind === 'changed';
  const base = (isOvertaken ? undefined : draft?.base) ?? { networks: stored };
  const change = (key: number, update: Partial<Row>): void =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...update } : row)));
  const add = (): void => {
    const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
    setRows([...rows, { key, network: '', dns_server_id: servers.find((server) => server.default)?.id ?? '' }]);
  };
  const errors = fieldErrors(saving.error);
  const isPrivate = ({ network }: Row): boolean => privateNetworks.includes(network);
  const sharedServer = isEach ? undefined : commonServer(rows.filter(isPrivate), privateNetworks.length);
  const options = servers.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Section title={t('list.title')} text={t('list.text')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(base);
        }}
      >
        <Stack>
          {sharedServer !== undefined && (
            <Stack gap="xs" align="flex-start">
              <div>
                <Text fw={500}>{t('list.private')}</Text>
                <Text size="xs" c="dimmed">
                  {privateNetworks.join(', ')}
                </Text>
              </div>
              <NativeSelect
                label={t('list.server')}
                data={options}
                value={sharedServer}
                disabled={!canEdit}
                w="100%"
                maw={420}
                onChange={(event) => {
                  const { value: dns_server_id } = event.currentTarget;
                  setRows(rows.map((row) => (isPrivate(row) ? { ...row, dns_server_id } : row)));
                }}
              />
              <Button size="compact-sm" variant="subtle" onClick={each.open}>
                {t('list.each')}
              </Button>
            </Stack>
          )}
          {rows.map((row, index) => {
            if (sharedServer !== undefined && isPrivate(row)) return null;
            const { key, network, dns_server_id: server } = row;
            return (
              <Group key={key} align="flex-end" wrap="nowrap" gap="xs">
                <TextInput
                  label={t('list.network')}
                  placeholder={t('list.placeholder')}
                  value={network}
                  required
                  disabled={!canEdit}
                  error={errors[`networks[${index}].network`]}
                  onChange={(event) => change(key, { network: event.currentTarget.value })}
                  flex={1}
                  miw={0}
                />
                <NativeSelect
                  label={t('list.server')}
                  data={options}
                  value={server}
                  disabled={!canEdit}
                  onChange={(event) => change(key, { dns_server_id: event.currentTarget.value })}
                  flex={1}
                  miw={0}
                />
                <ActionIcon
                  variant="default"
                  size="input-sm"
                  disabled={!canEdit}
                  aria-label={t('list.remove', { network })}
                  onClick={() => setRows(rows.filter((row) => row.key !== key))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            );
          })}
          {saving.isError && <ErrorAlert error={saving.error} except={Object.keys(errors)} />}
          <Group>
            <Button variant="default" onClick={add} disabled={!canEdit}>
              {t('list.add')}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={!canEdit}>
              {t('list.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
