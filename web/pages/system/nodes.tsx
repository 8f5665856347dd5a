import { Button, Table, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Node, nodesQuery, revokeNode } from '../../api/nodes.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { TimeAgo, useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { CreateNode } from './create-node.tsx';

/** DNS nodes without a database, and their keys. */
export function Nodes() {
  const { t } = useTranslation('system');
  const { data: nodes, error, isPending, refetch } = useQuery(nodesQuery);
  const [isCreating, creating] = useDisclosure(false);
  const [selected, setSelected] = useState<Node>();
  const revoking = useMutation({
    mutationFn: ({ id }: Node) => revokeNode(id),
    onSuccess: (_, { name }) => {
      setSelected(undefined);
      notifyDone(t('nodes.revoked', { name }));
    },
  });
  const add = (
    <Button variant="default" leftSection={<IconPlus size={17} />} onClick={creating.open}>
      {t('nodes.create')}
    </Button>
  );
  return (
    <Section title={t('nodes.title')} text={t('nodes.text')} actions={add}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !nodes && <ErrorState error={error} retry={refetch} />}
      {nodes?.length === 0 && <Text size="sm">{t('nodes.none')}</Text>}
      {nodes && nodes.length > 0 && <NodeTable nodes={nodes} onRevoke={setSelected} />}
      <CreateNode isOpen={isCreating} onClose={creating.close} />
      <ConfirmByName
        isOpen={selected !== undefined}
        title={t('nodes.ask', { name: selected?.name ?? '' })}
        text={t('nodes.revokeText')}
        name={selected?.name ?? ''}
        verb={t('nodes.revoke')}
        mutation={revoking}
        onConfirm={() => selected && revoking.mutate(selected)}
        onClose={() => setSelected(undefined)}
      />
    </Section>
  );
}

type TableProps = { readonly nodes: readonly Node[]; readonly onRevoke: (node: Node) => void };

function NodeTable({ nodes, onRevoke }: TableProps) {
  const { t } = useTranslation('system');
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('nodes.name')}</Table.Th>
          <Table.Th>{t('nodes.contact')}</Table.Th>
          <Table.Th visibleFrom="sm">{t('nodes.version')}</Table.Th>
          <Table.Th>
            <VisuallyHidden>{t('nodes.actions')}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {nodes.map((node) => (
          <Table.Tr key={node.id}>
            <Table.Td>
              <bdi>{node.name}</bdi>
              <Text size="sm" c="dimmed" className="untrusted-text" dir="ltr">
                {node.status?.address ?? `${node.hint}…`}
              </Text>
            </Table.Td>
            <Table.Td>
              <Report status={node.status} />
            </Table.Td>
            <Table.Td visibleFrom="sm">{node.status?.version ?? '–'}</Table.Td>
            <Table.Td ta="end">
              <Button
                size="compact-sm"
                flex="none"
                variant="subtle"
                color="red"
                aria-label={t('nodes.revokeNamed', { name: node.name })}
                onClick={() => onRevoke(node)}
              >
                {t('nodes.revoke')}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Report({ status }: { status: Node['status'] }) {
  const { t } = useTranslation('system');
  const { number } = useFormat();
  if (!status) return t('nodes.never');
  return (
    <>
      <TimeAgo millis={status.reported_millis} />
      <Text size="sm" c="dimmed">
        {t('nodes.revision', { revision: number(status.revision) })},{' '}
        {t('nodes.lag', { seconds: number(Math.round(status.lag_millis / 1000)) })}
      </Text>
    </>
  );
}
