import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useAuthState } from '../api/auth-state.ts';
import { queryClient } from '../api/query-client.ts';
import { useLatch } from '../components/use-latch.ts';
import { router } from './router.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';
import { useIdleWarning } from './use-idle-warning.ts';

const Notifications = lazy(() => import('./notifications.tsx').then((module) => ({ default: module.Notifications })));
// If the chunk cannot be loaded because the service is down, the page continues without the warning.
const IdleWarning = lazy(() =>
  import('./idle-warning.tsx').then(
    (module) => ({ default: module.IdleWarning }),
    () => ({ default: () => <></> }),
  ),
);
const ReauthDialog = lazy(() => import('./reauth-dialog.tsx').then((module) => ({ default: module.ReauthDialog })));

export function App() {
  // The page replaces its outline in the same frame.
  useLayoutEffect(() => document.querySelector('page-outline')?.remove(), []);
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Overlays />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

/** Overlays are not visible at first, so their chunks load after the first render. */
function Overlays() {
  const needsReauth = useLatch(useAuthState() === 'expired');
  const { isWarning, stay } = useIdleWarning();
  const hasWarned = useLatch(isWarning);
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsMounted(true));
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense>
      {isMounted && <Notifications />}
      {hasWarned && <IdleWarning isShown={isWarning} onStay={stay} />}
      {needsReauth && <ReauthDialog />}
    </Suspense>
  );
}
