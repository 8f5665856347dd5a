import { Button, Table, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiKey } from '../../api/account-wire.ts';
import { apiKeysQuery, membersQuery, revokeApiKey } from '../../api/members.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { TimeAgo } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { CreateApiKey } from './create-api-key.tsx';

export function ApiKeys() {
  const { t } = useTranslation('account');
  const { data: keys, error, isPending, refetch } = useQuery(apiKeysQuery);
  const [isCreating, creating] = useDisclosure(false);
  const [selected, setSelected] = useState<ApiKey>();
  const revoking = useMutation({
    mutationFn: ({ id }: ApiKey) => revokeApiKey(id),
    onSuccess: (_, { name }) => {
      setSelected(undefined);
      notifyDone(t('keys.revoked', { name }));
    },
  });
  const add = (
    <Button leftSection={<IconPlus size={17} />} onClick={creating.open}>
      {t('keys.create')}
    </Button>
  );
  return (
    <Section title={t('keys.title')} text={t('keys.text')} actions={add}>
      {isPending && <LoadingState rows={3} />}
      {!isPending && !keys && <ErrorState error={error} retry={refetch} />}
      {keys?.length === 0 && <Text c="dimmed">{t('keys.none')}</Text>}
      {keys && keys.length > 0 && <KeyTable keys={keys} onRevoke={setSelected} />}
      <CreateApiKey isOpen={isCreating} onClose={creating.close} />
      <ConfirmByName
        isOpen={selected !== undefined}
        title={t('keys.ask', { name: selected?.name ?? '' })}
        text={t('keys.revokeText')}
        name={selected?.name ?? ''}
        verb={t('keys.revoke')}
        mutation={revoking}
        onConfirm={() => selected && revoking.mutate(selected)}
        onClose={() => setSelected(undefined)}
      />
    </Section>
  );
}

type TableProps = { readonly keys: readonly ApiKey[]; readonly onRevoke: (key: ApiKey) => void };

function KeyTable({ keys, onRevoke }: TableProps) {
  const { t } = useTranslation('account');
  const { data: members = [] } = useQuery(membersQuery);
  const emailOf = new Map(members.map(({ id, email }) => [id, email]));
  return (
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('keys.name')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('keys.owner')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('keys.used')}</Table.Th>
          <Table.Th>
            <VisuallyHidden>{t('actions')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td>
              <bdi>{key.name}</bdi>
              <Text size="sm" c="dimmed" className="untrusted-text" dir="ltr">
                {key.hint}…
              </Text>
              <Text size="sm" c="dimmed" hiddenFrom="sm">
                <bdi>{emailOf.get(key.member_id) ?? ''}</bdi>
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <bdi>{emailOf.get(key.member_id) ?? ''}</bdi>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              {key.last_used_millis === undefined ? t('keys.never') : <TimeAgo millis={key.last_used_millis} />}
            </Table.Td>
            <Table.Td ta="end">
              <Button
                size="compact-sm"
                flex="none"
                variant="subtle"
                color="red"
                aria-label={t('keys.revokeNamed', { name: key.name })}
                onClick={() => onRevoke(key)}
              >
                {t('keys.revoke')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
