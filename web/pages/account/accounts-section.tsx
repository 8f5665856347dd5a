import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../api/query-client.ts';
import { accountsQuery, memberQuery, switchAccount } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Section } from '../../components/section.tsx';

/** Only for a user who belongs to several accounts. */
export function AccountsSection() {
  const { t } = useTranslation(['account', 'shell']);
  const router = useRouter();
  const { data: accounts = [] } = useQuery(accountsQuery);
  const switching = useMutation({
    mutationFn: switchAccount,
    onSuccess: (member) => {
      // Data of the other account must not be shown.
      queryClient.clear();
      queryClient.setQueryData(memberQuery.queryKey, member);
      void router.navigate({ to: '/' });
    },
  });
  if (accounts.length < 2) return null;
  return (
    <Section title={t('accounts.title')} text={t('accounts.text')}>
      <Stack gap="xs">
        {accounts.map(({ id, owner_email: email, role, current }) => (
          <Group key={id} justify="space-between">
            <Text size="sm">
              <bdi>{t('accounts.of', { email })}</bdi> · {t(`shell:roles.${role}`)}
            </Text>
            {current ? (
              <Badge variant="light">{t('accounts.current')}</Badge>
            ) : (
              <Button
                size="xs"
                variant="default"
                aria-label={t('accounts.switchNamed', { email })}
                loading={switching.isPending && switching.variables === id}
                onClick={() => switching.mutate(id)}
              >
                {t('accounts.switch')}
              </Button>
            )}
          </Group>
        ))}
        {switching.isError && <ErrorAlert error={switching.error} />}
      </Stack>
    </Section>
  );
}
