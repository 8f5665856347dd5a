import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../api/query-client.ts';
import { memberQuery, signOut } from '../api/session.ts';

export function WhoIsHere() {
  const { t } = useTranslation();
  const router = useRouter();
  const { data: member } = useQuery(memberQuery);
  const leaving = useMutation({
    mutationFn: signOut,
    onSettled: async () => {
      await router.navigate({ to: '/sign-in' });
      // Nothing of what was seen stays for whoever sits here next.
      queryClient.clear();
    },
  });
  if (!member) return null;
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" pl={10}>
      <Stack gap={0} miw={0}>
        <Text size="sm" truncate title={member.email}>
          <bdi>{member.email}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {t(`roles.${member.role}`)}
        </Text>
      </Stack>
      <Tooltip label={t('signOut')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('signOut')}
          loading={leaving.isPending}
          onClick={() => leaving.mutate()}
        >
          <IconLogout size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
