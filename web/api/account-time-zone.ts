import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** By which clock the account lives. */
export const accountZoneQuery = queryOptions({
  queryKey: ['account', 'zone'],
  queryFn: async ({ signal }) => {
    const account = await request<{ time_zone: string }>('GET', '/api/v1/account', { signal });
    return account.time_zone;
  },
});
