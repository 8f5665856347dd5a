import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { PostgresPool } from '../postgres/open-pool.ts';
import { builders, type LeaderWork, type Run } from './database.ts';

const CHANNEL = 'weir_changed';
// Its number is arbitrary but constant.
const COMMIT_LOCK = 7_311_802;
const leaderLocks: Readonly<Record<LeaderWork, number>> = { 'regular work': 7_311_803, 'filter lists': 7_311_804 };

export type NoticeTimes = {
  readonly reconnectMs: number;
  /** Interval of the query that shows whether the connection still works. */
  readonly heartbeatMs: number;
  /** The connection is replaced if the heartbeat is not answered within this time. */
  readonly heartbeatWithinMs: number;
};

const usual: NoticeTimes = { reconnectMs: 1000, heartbeatMs: 5000, heartbeatWithinMs: 5000 };

// Earlier versions listed the accounts; they read all accounts instead.
type Notice = { readonly by: string; readonly accounts: 'all' };

/**
 * Notifies other processes of changes (LISTEN/NOTIFY). If a notification is lost, they read the changes at their next poll.
 */
export function postgresNotices(pool: PostgresPool, times: Partial<NoticeTimes> = {}) {
  const { reconnectMs, heartbeatMs, heartbeatWithinMs } = { ...usual, ...times };
  const me = randomUUID();
  const notice = JSON.stringify({ by: me, accounts: 'all' } satisfies Notice);
  let listener = (): void => {};
  let client: pg.Client | undefined;
  /** The connection that holds the lock of a leader. */
  const leading = new Map<LeaderWork, pg.Client>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const after = (ms: number, work: () => Promise<void>): void => {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void work(), ms).unref();
  };

  const lost = (one: pg.Client): void => {
    pool.destroy(one);
    if (client !== one) return;
    client = undefined;
    after(reconnectMs, connect);
  };

  const connect = async (): Promise<void> => {
    try {
      const one = await pool.connectAlone();
      if (isStopped) return pool.destroy(one);
      client = one;
      one.on('notification', ({ payload = '' }) => {
        if ((JSON.parse(payload) as Notice).by !== me) listener();
      });
      one.on('error', () => lost(one));
      one.on('end', () => lost(one));
      await one.query(`listen ${CHANNEL}`);
      after(heartbeatMs, () => heartbeat(one));
      // Notifications were missed since the last connection.
      listener();
    } catch {
      // Queries report the failure themselves; here only reconnect.
      if (client) lost(client);
      else after(reconnectMs, connect);
    }
  };

  /** A connection whose packets are dropped silently has neither an error nor an end. */
  const heartbeat = async (one: pg.Client): Promise<void> => {
    const query = { text: 'select from pg_listening_channels()', query_timeout: heartbeatWithinMs };
    try {
      const { rowCount } = await one.query(query);
      if (rowCount === 0) lost(one);
      else after(heartbeatMs, () => heartbeat(one));
    } catch {
      lost(one);
      pool.destroyIdle();
    }
  };

  return {
    /**
     * Revisions must be committed in order: a process that has read one does not look for earlier ones. So one transaction at a time is
     * between its revision and its commit. NOTIFY serialises commits in the same way.
     */
    announce: async (run: Run): Promise<void> => {
      await run(
        sql`select pg_advisory_xact_lock(${COMMIT_LOCK}), pg_notify(${CHANNEL}, ${notice})`.compile(builders.postgres),
      );
    },
    /** Whether this process has the lock of the leader, which ends with the connection; tries to take it. */
    isLeader: async (work: LeaderWork = 'regular work'): Promise<boolean> => {
      const one = client;
      if (!one || leading.get(work) === one) return one !== undefined;
      const text = 'select pg_try_advisory_lock($1) as taken';
      const { rows } = await one.query<{ taken: boolean }>({
        text,
        values: [leaderLocks[work]],
        query_timeout: heartbeatWithinMs,
      } as pg.QueryConfig);
      if (rows[0]?.taken) leading.set(work, one);
      return leading.get(work) === one && client === one;
    },
    /** Resolves when notifications arrive, or when the first attempt has failed. */
    listen: async (to: () => void): Promise<void> => {
      listener = to;
      await connect();
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
      if (client) pool.destroy(client);
    },
  };
}
