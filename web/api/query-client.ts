import { QueryClient } from '@tanstack/react-query';
import { problemOf } from './api-error.ts';
import { isReachable, onReachable } from './connectivity.ts';

const MAX_TRIES = 3;
const FRESH_MS = 10_000;

const mayPass = (error: unknown): boolean => ['unreachable', 'fault', 'slowDown'].includes(problemOf(error).kind);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The service may run on this machine or in a network without Internet access, so `navigator.onLine` is meaningless.
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (tries, error) => mayPass(error) && tries < MAX_TRIES,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// The service is reachable again: data may have changed, and failed requests may succeed now.
onReachable(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});
