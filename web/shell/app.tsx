import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSignedIn } from '../api/auth-state.ts';
import { queryClient } from '../api/query-client.ts';
import { useEver } from '../components/use-latch.ts';
import { router } from './router.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';
import { useEndsSoon } from './use-idle-warning.ts';

const Notifications = lazy(() => import('./notifications.tsx').then((module) => ({ default: module.Notifications })));
// While the service is away there is no script of it: better no notice than no page.
const EndsSoon = lazy(() =>
  import('./idle-warning.tsx').then(
    (module) => ({ default: module.EndsSoon }),
    () => ({ default: () => <></> }),
  ),
);
const SessionEnded = lazy(() => import('./reauth-dialog.tsx').then((module) => ({ default: module.SessionEnded })));

export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <OverThePage />
    </QueryClientProvider>
  </MantineProvider>
);

/** What nobody sees at first: its script comes once the page is there. */
function OverThePage() {
  const hasEnded = useEver(useSignedIn() === 'ended');
  const { endsSoon, stay } = useEndsSoon();
  const hasEndedSoon = useEver(endsSoon);
  const [isDrawn, setIsDrawn] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDrawn(true));
    return () => clearTimeout(timer);
  }, []);
  return (
    <Suspense>
      {isDrawn && <Notifications />}
      {hasEndedSoon && <EndsSoon isShown={endsSoon} onStay={stay} />}
      {hasEnded && <SessionEnded />}
    </Suspense>
  );
}
