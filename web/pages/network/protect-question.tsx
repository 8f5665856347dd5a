import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { protectNetwork } from '../../api/networks.ts';
import type { DnsServer, Networks } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Section } from '../../components/section.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';

type Props = { readonly networks: Networks; readonly servers: readonly DnsServer[] };

export function ProtectQuestion({ networks, servers }: Props) {
  const { t } = useTranslation('network');
  const canEdit = useCanEdit();
  const server = servers.find((candidate) => candidate.default) ?? servers[0];
  const protecting = useMutation({
    mutationFn: (chosen: DnsServer) => protectNetwork(chosen, networks.private_networks),
  });
  return (
    <Section title={t('ask.title')} text={t('ask.text')}>
      <Stack align="flex-start">
        <Text size="sm">{t('ask.log')}</Text>
        {protecting.isError && <ErrorAlert error={protecting.error} />}
        <Group>
          <Button
            disabled={!canEdit || !server}
            loading={protecting.isPending}
            onClick={() => server && protecting.mutate(server)}
          >
            {t('ask.yes')}
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/connect" {...props} />}>
            {t('ask.no')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
