import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useReachable } from '../api/connectivity.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Illustration } from '../components/illustration.tsx';
import { useLatch } from '../components/use-latch.ts';

/** Loads the page again once the service answers. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isReachable = useReachable();
  const isBack = useLatch(!isReachable) && isReachable;
  useEffect(() => {
    if (isBack) void router.invalidate();
  }, [isBack, router]);
  return (
    <Container py="xl">
      <ErrorState error={error} retry={() => router.invalidate()} />
    </Container>
  );
}

export function PageNotFound() {
  const { t } = useTranslation();
  return (
    <Container component="main" py="xl">
      <Stack align="center" gap="sm">
        <Illustration picture="lost" />
        <Title order={1}>{t('notFound.title')}</Title>
        <Text c="dimmed" ta="center">
          {t('notFound.text')}
        </Text>
        <Anchor component={Link} to="/">
          {t('notFound.back')}
        </Anchor>
      </Stack>
    </Container>
  );
}
