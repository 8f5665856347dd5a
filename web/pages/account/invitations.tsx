import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invitation } from '../../api/account-wire.ts';
import { invitationsQuery, revokeInvitation } from '../../api/members.ts';
import { memberQuery } from '../../api/session.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { Invite } from './invite.tsx';

/** Only owners and admins may see invitations. */
export function Invitations() {
  return useCanEdit() ? <PendingInvitations /> : null;
}

function PendingInvitations() {
  const { t } = useTranslation('account');
  const { data: self } = useQuery(memberQuery);
  const { data: invitations, error, isPending, refetch } = useQuery(invitationsQuery);
  const [isInviting, inviting] = useDisclosure(false);
  const [revocation, setRevocation] = useState<Invitation>();
  const removing = useMutation({
    mutationFn: ({ id }: Invitation) => revokeInvitation(id),
    onSuccess: (_, { email }) => {
      setRevocation(undefined);
      notifyDone(t('invitations.removed', { email }));
    },
  });
  const add = (
    <Button leftSection={<IconUserPlus size={17} />} onClick={inviting.open}>
      {t('invitations.invite')}
    </Button>
  );
  return (
    <Section title={t('invitations.title')} text={t('invitations.text')} actions={add}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !invitations && <ErrorState error={error} retry={refetch} />}
      {invitations?.length === 0 && <Text c="dimmed">{t('invitations.none')}</Text>}
      {invitations?.map((invitation) => (
        <Row key={invitation.id} invitation={invitation} onRemove={() => setRevocation(invitation)} />
      ))}
      {self && <Invite isOpen={isInviting} onClose={inviting.close} self={self} />}
      <ConfirmByName
        isOpen={revocation !== undefined}
        title={t('invitations.ask')}
        text={t('invitations.removeText')}
        name={revocation?.email ?? ''}
        verb={t('invitations.remove')}
        mutation={removing}
        onConfirm={() => revocation && removing.mutate(revocation)}
        onClose={() => setRevocation(undefined)}
      />
    </Section>
  );
}

function Row({
  invitation: { email, role, expires_millis },
  onRemove,
}: {
  invitation: Invitation;
  onRemove: () => void;
}) {
  const { t } = useTranslation(['account', 'shell']);
  const { time } = useFormat();
  return (
    <Group justify="space-between" wrap="nowrap">
      <Stack gap={0} miw={0}>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <bdi>{email}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {t(`shell:roles.${role}`)} · {t('invitations.until', { time: time(expires_millis, { dateStyle: 'medium' }) })}
        </Text>
      </Stack>
      <Button
        size="compact-sm"
        flex="none"
        variant="subtle"
        color="red"
        aria-label={t('invitations.removeNamed', { email })}
        onClick={onRemove}
      >
        {t('invitations.remove')}
      </Button>
    </Group>
  );
}
