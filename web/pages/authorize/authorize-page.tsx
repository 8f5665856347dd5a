import { Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { request } from '../../api/request.ts';
import { ProblemNote } from '../../components/error-alert.tsx';
import { PageHeader } from '../../components/page-header.tsx';

/** A program has sent the browser here: somebody decides whether it may act in their name. */
export function AuthorizePage() {
  const { t } = useTranslation('authorize');
  const wish = useLocation({ select: ({ search }) => search }) as Readonly<Record<string, string>>;
  const { client_id: client = '', redirect_uri: back = '' } = wish;
  const letIn = useMutation({
    mutationFn: () => request<{ location: string }>('POST', '/api/v1/authorizations', { body: wish }),
    // Where the service says, which sends to nobody but those whom its operator has named.
    onSuccess: ({ location: to }) => location.assign(to),
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
            {t('back')} <bdi className="foreign-text">{back}</bdi>
          </Text>
          {letIn.isError && <ProblemNote error={letIn.error} />}
          <Group>
            <Button loading={letIn.isPending} disabled={client === ''} onClick={() => letIn.mutate()}>
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
