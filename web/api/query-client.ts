import { QueryClient } from '@tanstack/react-query';
import { problemOf } from './api-error.ts';
import { isReachable, onReachabilityChange } from './connectivity.ts';

const MAX_RETRIES = 3;
const FRESH_MS = 10_000;

const isTemporary = (error: unknown): boolean => ['unreachable', 'fault', 'slowDown'].includes(problemOf(error).kind);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The service may run on this machine or in a network without Internet access, so `navigator.onLine` is meaningless.
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => isTemporary(error) && failures < MAX_RETRIES,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// The service is reachable again: data may have changed, and failed requests may succeed now.
onReachabilityChange(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});
