import { Container } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useReachable } from '../api/connectivity.ts';
import { ErrorState } from '../components/error-state.tsx';
import { NotFound } from '../components/not-found.tsx';
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

export const PageNotFound = () => (
  <Container component="main" py="xl">
    <NotFound />
  </Container>
);
