import type { Scope } from '../../api/statistics.ts';
import { periodText } from '../../components/period.ts';
import type { LogSearch } from '../log/log-search.ts';

export const BLOCKED_STATUSES: LogSearch = { statuses: 'REQUEST_BLOCKED,RESPONSE_BLOCKED' };

/** Log filters with the same period and scope, plus one more filter. */
export const logSearch = ({ period, server, device }: Scope, change: LogSearch): LogSearch => ({
  period: periodText(period),
  ...(server !== undefined && { servers: server }),
  ...(device !== undefined && { devices: device }),
  ...change,
});
