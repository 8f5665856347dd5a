import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../components/error-state.tsx';

export const PageError = ({ error, reset }: ErrorComponentProps) => (
  <Container py="xl">
    <ErrorState error={error} retry={reset} />
  </Container>
);

export function PageNotFound() {
  const { t } = useTranslation();
  return (
    <Container component="main" py="xl">
      <Stack>
        <Title order={1}>{t('notFound.title')}</Title>
        <Text>{t('notFound.text')}</Text>
        <Anchor component={Link} to="/">
          {t('notFound.back')}
        </Anchor>
      </Stack>
    </Container>
  );
}
