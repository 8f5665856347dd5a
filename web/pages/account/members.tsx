import { Badge, Button, Group, NativeSelect, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../api/account-wire.ts';
import { changeRole, membersQuery, removeMember } from '../../api/members.ts';
import { memberQuery } from '../../api/session.ts';
import type { Member } from '../../api/wire.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone, notifyWithUndo } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { assignableRoles, canManage } from './roles.ts';

export function Members() {
  const { t } = useTranslation('account');
  const { data: members, error, isPending, refetch } = useQuery(membersQuery);
  const { data: self } = useQuery(memberQuery);
  const [removal, setRemoval] = useState<Member>();
  const removing = useMutation({
    mutationFn: ({ id }: Member) => removeMember(id),
    onSuccess: (_, { email }) => {
      setRemoval(undefined);
      notifyDone(t('members.removed', { email }));
    },
  });
  return (
    <Section title={t('members.title')} text={t('members.text')}>
      {isPending && <LoadingState rows={3} />}
      {!isPending && !members && <ErrorState error={error} retry={refetch} />}
      {members && self && (
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('members.who')}</Table.Th>
              <Table.Th>{t('members.role')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <Row key={member.id} member={member} self={self} onRemove={() => setRemoval(member)} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <ConfirmByName
        isOpen={removal !== undefined}
        title={t('members.ask', { email: removal?.email ?? '' })}
        text={t('members.removeText')}
        name={removal?.email ?? ''}
        verb={t('members.remove')}
        mutation={removing}
        onConfirm={() => removal && removing.mutate(removal)}
        onClose={() => setRemoval(undefined)}
      />
    </Section>
  );
}

type RowProps = { readonly member: Member; readonly self: Member; readonly onRemove: () => void };

function Row({ member, self, onRemove }: RowProps) {
  const { t } = useTranslation(['account', 'shell']);
  const { id, email, role } = member;
  const changing = useAction(({ to }: { from: Role; to: Role }) => changeRole(id, to), {
    onDone: (_, { from, to }) =>
      notifyWithUndo(t('members.changed', { email, role: t(`shell:roles.${to}`) }), () =>
        changing.mutate({ from: to, to: from }),
      ),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <bdi>{email}</bdi>
        </Text>
        <Group gap={6}>
          {id === self.id && (
            <Badge size="sm" variant="light">
              {t('members.you')}
            </Badge>
          )}
          {member.second_factor_enabled && (
            <Badge size="sm" variant="default">
              {t('factor.title')}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        {canManage(self, member) ? (
          <Group gap="xs">
            <NativeSelect
              w={130}
              aria-label={t('members.roleOf', { email })}
              value={changing.isPending ? changing.variables.to : role}
              data={assignableRoles(self.role).map((name) => ({ value: name, label: t(`shell:roles.${name}`) }))}
              onChange={(event) => changing.mutate({ from: role, to: event.currentTarget.value as Role })}
            />
            <Button
              size="compact-sm"
              flex="none"
              variant="subtle"
              color="red"
              aria-label={t('members.removeNamed', { email })}
              onClick={onRemove}
            >
              {t('members.remove')}
            </Button>
          </Group>
        ) : (
          t(`shell:roles.${role}`)
        )}
      </Table.Td>
    </Table.Tr>
  );
}
