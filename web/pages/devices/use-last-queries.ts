import { useQueries } from '@tanstack/react-query';
import type { LastQuery } from '../../../src/client/operations.ts';
import { lastQueriesQuery } from '../../api/device-activity.ts';
import type { Device } from '../../api/wire.ts';

/** Largest number of devices of a request. */
const GROUP = 50;

/** Last queries of the devices from one index to another, read in fixed groups, so that scrolling reads each once. */
export function useLastQueries(
  devices: readonly Device[],
  first: number,
  last: number,
): (id: string) => LastQuery | undefined {
  const from = Math.floor(first / GROUP);
  const count = devices.length === 0 ? 0 : Math.floor(last / GROUP) - from + 1;
  const groups = useQueries({
    queries: Array.from({ length: count }, (_, index) => {
      const start = (from + index) * GROUP;
      return lastQueriesQuery(devices.slice(start, start + GROUP).map(({ id }) => id));
    }),
  });
  return (id) => groups.find(({ data }) => data?.has(id))?.data?.get(id);
}
