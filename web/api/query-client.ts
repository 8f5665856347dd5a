import { QueryClient } from '@tanstack/react-query';
import { problemOf } from './api-error.ts';
import { isReachable, onReachable } from './connectivity.ts';

const MAX_TRIES = 3;
const FRESH_MS = 10_000;

const mayPass = (error: unknown): boolean => ['unreachable', 'fault', 'slowDown'].includes(problemOf(error).kind);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The service may be on this very machine, or in a network without the Internet: what the browser calls offline says nothing.
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (tries, error) => mayPass(error) && tries < MAX_TRIES,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

// Back again: what is shown may have changed meanwhile, and what failed may succeed now.
onReachable(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});
