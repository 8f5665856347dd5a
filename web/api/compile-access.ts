import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** Whether the compiler page may be used without signing in. */
export const compileAccessQuery = queryOptions({
  queryKey: ['compile-access'],
  queryFn: ({ signal }) => request<{ page: boolean }>('GET', '/compile/access', { signal }),
});
