import { Container, VisuallyHidden } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useReachable } from '../api/connectivity.ts';
import { ErrorState } from '../components/error-state.tsx';
import { LoadingState } from '../components/loading-state.tsx';
import { NotFound } from '../components/not-found.tsx';
import { useLatch } from '../components/use-latch.ts';

/** Loads the page again once the service answers. */
export const PageError = ({ error }: ErrorComponentProps) => <ReloadedError error={error} isLone={false} />;

function ReloadedError({ error, isLone }: { error: unknown; isLone: boolean }) {
  const router = useRouter();
  const isReachable = useReachable();
  const isBack = useLatch(!isReachable) && isReachable;
  useEffect(() => {
    if (isBack) void router.invalidate();
  }, [isBack, router]);
  return (
    <Container py="xl">
      <ErrorState error={error} retry={() => router.invalidate()} isPage isLone={isLone} />
    </Container>
  );
}

/** Of routes outside the navigation, which has the landmark. */
export const LonePageError = ({ error }: ErrorComponentProps) => (
  <main>
    <ReloadedError error={error} isLone />
  </main>
);

/** While the code of a page loads, which has the heading. */
export function PageLoading() {
  const { t } = useTranslation('common');
  return (
    <>
      <VisuallyHidden component="h1">{t('loading')}</VisuallyHidden>
      <LoadingState />
    </>
  );
}

export const PageNotFound = () => (
  <Container component="main" py="xl">
    <NotFound />
  </Container>
);
