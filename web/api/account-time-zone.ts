import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** Time zone of the account, used for schedules. */
export const accountTimeZoneQuery = queryOptions({
  queryKey: ['account', 'zone'],
  queryFn: async ({ signal }) => {
    const account = await request('GET /api/v1/account', { signal });
    return account.time_zone;
  },
});
