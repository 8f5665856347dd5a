import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useAuthState } from '../api/auth-state.ts';
import { queryClient } from '../api/query-client.ts';
import { useLatch } from '../components/use-latch.ts';
import { router } from './router.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';
import { useIdleWarning } from './use-idle-warning.ts';

/** Notifications follow actions, so their chunk is not needed earlier than the first input, and has time until then. */
const NOTIFICATIONS_MS = 5000;
const RETRY_MS = 10_000;

/** Retried: the service may be down at that time, and without the chunk actions would end without a notification. */
async function loadNotifications(): Promise<{ default: ComponentType }> {
  // Not a second argument of `then`: the build applies that to the script alone, and not to its style sheets.
  try {
    const { Notifications } = await import('./notifications.tsx');
    return { default: Notifications };
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return loadNotifications();
  }
}
const Notifications = lazy(loadNotifications);
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

const inputs = ['pointerdown', 'keydown'] as const;

/** Overlays are not visible at first, so their chunks load later. */
function Overlays() {
  const needsReauth = useLatch(useAuthState() === 'expired');
  const { isWarning, stay } = useIdleWarning();
  const hasWarned = useLatch(isWarning);
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => {
    const mount = (): void => setIsMounted(true);
    const timer = setTimeout(mount, NOTIFICATIONS_MS);
    for (const input of inputs) addEventListener(input, mount, { once: true });
    return () => {
      clearTimeout(timer);
      for (const input of inputs) removeEventListener(input, mount);
    };
  }, []);
  return (
    <Suspense>
      {isMounted && <Notifications />}
      {hasWarned && <IdleWarning isShown={isWarning} onStay={stay} />}
      {needsReauth && <ReauthDialog />}
    </Suspense>
  );
}
