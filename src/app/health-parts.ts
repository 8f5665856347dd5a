import { setTimeout as sleep } from 'node:timers/promises';
import type { Dns } from '../dns-server/open-dns.ts';
import type { QueryLog } from '../query-log/index.ts';
import type { FeedState } from '../store/change-feed.ts';

/** State of each part, for the readiness check. `unknown`: the part did not report its state in time. */
export type HealthParts = {
  /** Absent on a node without accounts. */
  readonly settings?: {
    readonly state: 'current' | 'last known' | 'stale';
    readonly revision: number;
    readonly lagSeconds: number;
  };
  readonly upstreams?: {
    readonly state: 'up' | 'some down' | 'down' | 'unknown';
    readonly up?: number;
    readonly total?: number;
  };
  readonly log?: {
    readonly state: 'storing' | 'behind' | 'unreachable' | 'unknown';
    readonly lagSeconds?: number;
    readonly waiting?: number;
  };
};

type Sources = {
  readonly areSettingsCurrent: () => boolean;
  readonly changes: () => FeedState;
  /** Undefined if DNS is off. */
  readonly dns: Pick<Dns, 'status'> | undefined;
  readonly records: Pick<QueryLog, 'stats'>;
};

const PATIENCE_MS = 500;
const BEHIND_MS = 30_000;
const STALE_MS = 30_000;

/** Whether changes of settings may have been missed: new ones could not be read from the database. */
export const isStale = ({ lagMs }: FeedState): boolean => lagMs > STALE_MS;

const inTime = <T>(value: Promise<T>): Promise<T | undefined> =>
  Promise.race([value.catch(() => undefined), sleep(PATIENCE_MS, undefined, { ref: false })]);

export async function readHealthParts({ areSettingsCurrent, changes, dns, records }: Sources): Promise<HealthParts> {
  const feedState = changes();
  const settings = {
    state: areSettingsCurrent() ? 'current' : isStale(feedState) ? 'stale' : 'last known',
    revision: feedState.revision,
    lagSeconds: Math.round(feedState.lagMs / 1000),
  } as const;
  if (!dns) return { settings };
  const [status, stats] = await Promise.all([inTime(dns.status()), inTime(records.stats())]);
  return { settings, upstreams: upstreamsOf(status), log: logOf(stats) };
}

function upstreamsOf(status: Awaited<ReturnType<Dns['status']>> | undefined): NonNullable<HealthParts['upstreams']> {
  if (!status) return { state: 'unknown' };
  const all = status.upstreams.upstreams;
  const [up, total] = [all.filter(({ state }) => state === 'in').length, all.length];
  return { state: up === total ? 'up' : up > 0 ? 'some down' : 'down', up, total };
}

function logOf(stats: Awaited<ReturnType<QueryLog['stats']>> | undefined): NonNullable<HealthParts['log']> {
  if (!stats) return { state: 'unknown' };
  const { lagMs, waiting, isReachable } = stats;
  const state = !isReachable ? 'unreachable' : lagMs > BEHIND_MS ? 'behind' : 'storing';
  return { state, lagSeconds: Math.round(lagMs / 1000), waiting };
}
