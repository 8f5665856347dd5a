import { singleFlight } from '../kit/single-flight.ts';
import type { ClientActivity } from '../resolver/identity/client-activity.ts';

const MAX_CLIENTS = 50_000;
const WAIT_MS = 1_000;

export type CollectDeps = {
  /** Makes every UDP thread report for this round; resolves to the counts of the resolver thread. */
  readonly request: (round: number) => Promise<readonly ClientActivity[]>;
  /** The number of UDP threads that will report. */
  readonly udpThreads: () => number;
  readonly waitMs?: number;
};

/** Sums the client activity of all threads. A report that comes too late is part of the next result. */
export function collectActivity({ request, udpThreads, waitMs = WAIT_MS }: CollectDeps) {
  let sums = new Map<string, ClientActivity>();
  const collections = singleFlight<readonly ClientActivity[]>();
  let round = 0;
  let reported = 0;
  let onReport = (): void => undefined;

  const add = (activity: readonly ClientActivity[]): void => {
    for (const entry of activity) {
      const { account, dnsServer, device = '', address, mac = '', queries, lastSeen } = entry;
      const key = `${account} ${dnsServer} ${device} ${address} ${mac}`;
      const before = sums.get(key);
      if (!before && sums.size >= MAX_CLIENTS) sums.delete(sums.keys().next().value!);
      sums.set(key, {
        ...entry,
        queries: queries + (before?.queries ?? 0),
        lastSeen: Math.max(lastSeen, before?.lastSeen ?? 0),
      });
    }
  };

  const reports = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      onReport = () => {
        if (reported < udpThreads()) return;
        clearTimeout(timer);
        resolve();
      };
      onReport();
    });

  const collect = async (): Promise<readonly ClientActivity[]> => {
    round += 1;
    reported = 0;
    add(await request(round));
    await reports();
    const collected = [...sums.values()];
    sums = new Map();
    return collected;
  };

  return {
    /** A UDP thread has reported. */
    reported(ofRound: number, activity: readonly ClientActivity[]): void {
      add(activity);
      if (ofRound === round) reported += 1;
      onReport();
    },
    /** The activity since the last call. Concurrent calls share one result. */
    collect: (): Promise<readonly ClientActivity[]> => collections.run(collect, 'activity'),
  };
}
