import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { leaveAccount, membersQuery } from '../../api/members.ts';
import { queryClient } from '../../api/query-client.ts';
import { memberQuery } from '../../api/session.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { Section } from '../../components/section.tsx';

/** Not offered to the last owner: the account would have no owner left. */
export function LeaveAccount() {
  const { t } = useTranslation('account');
  const router = useRouter();
  const { data: member } = useQuery(memberQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const [isConfirming, confirmation] = useDisclosure(false);
  const leaving = useMutation({
    mutationFn: leaveAccount,
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' });
      queryClient.clear();
    },
  });
  if (!member) return null;
  const others = members.filter(({ id, role }) => id !== member.id && role === 'owner');
  if (member.role === 'owner' && others.length === 0) return null;
  return (
    <Section title={t('leave.title')} text={t('leave.text')}>
      <Group>
        <Button color="red" variant="light" onClick={confirmation.open}>
          {t('leave.button')}
        </Button>
      </Group>
      <ConfirmByName
        isOpen={isConfirming}
        title={t('leave.ask')}
        text={t('leave.text')}
        name={member.email}
        verb={t('leave.button')}
        mutation={leaving}
        onConfirm={() => leaving.mutate(member.id)}
        onClose={confirmation.close}
      />
    </Section>
  );
}
