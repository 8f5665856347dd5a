import { Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { authorize } from '../../api/authorize.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { PageHeader } from '../../components/page-header.tsx';

/** OAuth consent page: asks whether a third-party app may access the account. */
export function AuthorizePage() {
  const { t } = useTranslation('authorize');
  const parameters = useLocation({ select: ({ search }) => search }) as Readonly<Record<string, string>>;
  const { client_id: client = '', redirect_uri: redirectUri = '' } = parameters;
  const authorizing = useMutation({
    mutationFn: () => authorize(parameters),
    // The service only redirects to URIs registered by the operator.
    onSuccess: ({ location: target }) => location.assign(target),
  });
  return (
    <>
      <PageHeader title={t('title', { client })} />
      <Paper withBorder p="lg" maw={560}>
        <Stack>
          <Text>{t('text', { client })}</Text>
          <List size="sm">
            <List.Item>{t('may')}</List.Item>
            <List.Item>{t('mayNot')}</List.Item>
          </List>
          <Text size="sm" c="dimmed">
            {t('back')} <bdi className="untrusted-text">{redirectUri}</bdi>
          </Text>
          {authorizing.isError && <ErrorAlert error={authorizing.error} />}
          <Group>
            <Button loading={authorizing.isPending} disabled={client === ''} onClick={() => authorizing.mutate()}>
              {t('allow')}
            </Button>
            <Button variant="default" component="a" href="/">
              {t('deny')}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </>
  );
}
