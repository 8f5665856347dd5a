import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { router } from './router.tsx';
import { SessionEnded } from './session-ended.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';

export const App = () => (
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <SessionEnded />
    </QueryClientProvider>
    <Notifications position="bottom-right" limit={4} />
  </MantineProvider>
);
