import type { Socket } from 'node:net';
import { createFairPool, type FairPool } from './fair-pool.ts';

/** The peer of a connection, or the client behind the proxy that opened it. */
export type Origin = { readonly client: Uint8Array; readonly clientPort: number; readonly local: Uint8Array };

/** The state of a connection decides its timeout. */
type Doing = 'hello' | 'handshake' | 'first' | 'message' | 'busy' | 'idle';

/** Each stage of a connection has its own limit: one that is not yet established cannot displace one that is. */
type Stage = 'hello' | 'handshake' | 'established';

/** An admitted connection. Its protocol handler updates `doing` and `since`. */
export type Visit = { readonly socket: Socket; origin: Origin; doing: Doing; since: number };

export type VisitLimits = {
  /** Established connections. */
  readonly connections: number;
  /** Once all connections are busy and none can be evicted, new ones are refused until no more than this many are left. */
  readonly resumeAt: number;
  /** For each IPv4 address or /56 of IPv6. */
  readonly perClient: number;
  /** Connections whose ClientHello is not complete: a socket each, and no memory of OpenSSL. */
  readonly hellos: number;
  /** Handshakes in progress. */
  readonly handshakes: number;
  readonly handshakesPerNetwork: number;
  /**
   * Each handshake costs a signature: a network cannot displace its own handshakes sooner than this, so it cannot cause
   * one after another.
   */
  readonly handshakeMinAgeMs: number;
  readonly patienceMs: Readonly<Record<Doing, number>>;
  /** Replaces `patienceMs.idle` when four fifths of the connections are in use. */
  readonly crowdedIdleMs: number;
};

export const visitLimits: VisitLimits = {
  connections: 1000,
  resumeAt: 800,
  perClient: 50,
  hellos: 1000,
  handshakes: 200,
  handshakesPerNetwork: 25,
  handshakeMinAgeMs: 2000,
  // In the order of a connection's life. `busy` is the time without a byte in either direction.
  patienceMs: { hello: 1000, handshake: 5000, first: 2000, message: 5000, busy: 30_000, idle: 30_000 },
  crowdedIdleMs: 10_000,
};

export type VisitCounts = { open: number; accepted: number; refused: number; timedOut: number; evicted: number };

export type Visits = {
  readonly counts: Readonly<VisitCounts>;
  /** Evicts another connection if necessary; undefined if all are busy and none can be evicted. */
  readonly enter: (socket: Socket, origin: Origin, now: number, doing: 'hello' | 'first') => Visit | undefined;
  /** Attributes the connection to the client that a PROXY header names. */
  readonly comesFrom: (visit: Visit, origin: Origin) => void;
  /** Counts the connection for its client; closes it and returns false if the client has too many. */
  readonly isWelcome: (visit: Visit) => boolean;
  /** Moves a connection to its next stage; closes it and returns false if that stage is full. */
  readonly advance: (visit: Visit, doing: 'handshake' | 'first', now: number) => boolean;
  /** Closes an idle connection to free its descriptor. */
  readonly evictOne: () => boolean;
  /** Closes the connections that have exceeded the timeout of their state. */
  readonly sweep: (now: number) => void;
  readonly all: () => Iterable<Visit>;
};

const CROWDED = 0.8;

export function createVisits(limits: VisitLimits): Visits {
  const pools: Readonly<Record<Stage, FairPool<Visit>>> = {
    hello: createFairPool({ size: limits.hellos }),
    handshake: createFairPool({
      size: limits.handshakes,
      perNetwork: limits.handshakesPerNetwork,
      minAgeMs: limits.handshakeMinAgeMs,
    }),
    established: createFairPool({ size: limits.connections, isBusy: ({ doing }) => doing === 'busy' }),
  };
  const all = Object.values(pools);
  const perClient = new Map<string, number>();
  const counts: VisitCounts = { open: 0, accepted: 0, refused: 0, timedOut: 0, evicted: 0 };
  let isFull = false;

  const countOpen = (): void => {
    counts.open = all.reduce((sum, { size }) => sum + size(), 0);
  };

  /** Adds the connection to a pool and evicts another one if the pool is full. */
  const join = (stage: Stage, visit: Visit): boolean => {
    const pool = pools[stage];
    const network = networkKey(visit.origin.client);
    const isLast = stage === 'established';
    if (isLast && pool.size() <= limits.resumeAt) isFull = false;
    if ((isLast && isFull) || !pool.hasRoomFor(network)) {
      const victim = pool.victimFor(network, visit.since);
      if (isLast) isFull = !victim;
      if (!victim) return false;
      counts.evicted++;
      end(victim);
    }
    pool.add(visit, network);
    countOpen();
    return true;
  };

  // The close event comes later; the slot is free now.
  const end = (visit: Visit): void => {
    for (const pool of all) pool.delete(visit);
    countOpen();
    visit.socket.destroy();
  };

  const countClient = (key: string, by: 1 | -1): void => {
    const next = (perClient.get(key) ?? 0) + by;
    if (next === 0) perClient.delete(key);
    else perClient.set(key, next);
  };

  const refuse = (visit: Visit): false => {
    counts.refused++;
    end(visit);
    return false;
  };

  return {
    counts,
    enter(socket, origin, now, doing) {
      const visit: Visit = { socket, origin, doing, since: now };
      if (!join(stages[doing], visit)) {
        counts.refused++;
        return undefined;
      }
      socket.once('close', () => end(visit));
      return visit;
    },
    comesFrom(visit, origin) {
      visit.origin = origin;
      const pool = all.find(({ has }) => has(visit));
      pool?.delete(visit);
      pool?.add(visit, networkKey(origin.client));
    },
    isWelcome(visit) {
      const key = clientKey(visit.origin.client);
      if ((perClient.get(key) ?? 0) >= limits.perClient) return refuse(visit);
      counts.accepted++;
      countClient(key, 1);
      visit.socket.once('close', () => countClient(key, -1));
      return true;
    },
    advance(visit, doing, now) {
      // The connection may have been evicted in the meantime.
      if (!all.some(({ has }) => has(visit))) return false;
      for (const pool of all) pool.delete(visit);
      visit.doing = doing;
      visit.since = now;
      return join(stages[doing], visit) || refuse(visit);
    },
    evictOne() {
      const victim = all.map(({ victim: pick }) => pick()).find((found) => found !== undefined);
      if (!victim) return false;
      counts.evicted++;
      end(victim);
      return true;
    },
    sweep(now) {
      const isCrowded = pools.established.size() > CROWDED * limits.connections;
      for (const pool of all)
        for (const visit of pool.members()) {
          const patience = visit.doing === 'idle' && isCrowded ? limits.crowdedIdleMs : limits.patienceMs[visit.doing];
          if (now - visit.since < patience) continue;
          counts.timedOut++;
          end(visit);
        }
    },
    all: () => all.flatMap((pool) => [...pool.members()]),
  };
}

const stages: Readonly<Record<'hello' | 'handshake' | 'first', Stage>> = {
  hello: 'hello',
  handshake: 'handshake',
  first: 'established',
};

/** An IPv6 host can use any address of its network. */
const clientKey = (client: Uint8Array): string =>
  client.length === 4 ? client.join('.') : client.subarray(0, 7).join(':');

/** /24 of IPv4, /56 of IPv6. */
const networkKey = (client: Uint8Array): string =>
  client.length === 4 ? client.subarray(0, 3).join('.') : client.subarray(0, 7).join(':');
