import type { Socket } from 'node:net';

/** Who is at the other end of a connection, or at the other end of the proxy that made it. */
export type Origin = { readonly client: Uint8Array; readonly clientPort: number; readonly local: Uint8Array };

/** What a connection is doing decides how long it may take for it. */
type Doing = 'handshake' | 'first' | 'message' | 'busy' | 'idle';

/** A connection that was let in. Whoever speaks on it keeps `doing` and `since` true. */
export type Visit = { readonly socket: Socket; origin: Origin; doing: Doing; since: number };

export type VisitLimits = {
  readonly connections: number;
  /** Once full, nobody comes in until no more than these are left. */
  readonly resumeAt: number;
  /** For each IPv4 address or /56 of IPv6. */
  readonly perClient: number;
  readonly patienceMs: Readonly<Record<Doing, number>>;
  /** Instead of `patienceMs.idle`, when four fifths of the connections are taken. */
  readonly crowdedIdleMs: number;
};

export const visitLimits: VisitLimits = {
  connections: 1000,
  resumeAt: 800,
  perClient: 50,
  // In the order of a connection's life. `busy` is the time without a byte in either direction.
  patienceMs: { handshake: 5000, first: 2000, message: 5000, busy: 30_000, idle: 30_000 },
  crowdedIdleMs: 10_000,
};

export type VisitCounts = { open: number; accepted: number; refused: number; timedOut: number; evicted: number };

export type Visits = {
  readonly counts: Readonly<VisitCounts>;
  /** Makes room by closing the connection that is idle for longest, if it must; undefined when the house is full. */
  readonly enter: (socket: Socket, origin: Origin, now: number) => Visit | undefined;
  /** Says on whose behalf the visitor came; false when there are too many of these, and then the visit is over. */
  readonly isWelcome: (visit: Visit, origin: Origin) => boolean;
  readonly evictIdle: () => boolean;
  /** Ends the visits that take too long for what they do. */
  readonly sweep: (now: number) => void;
  readonly all: () => Iterable<Visit>;
};

const CROWDED = 0.8;

export function createVisits(limits: VisitLimits): Visits {
  const visits = new Set<Visit>();
  const perClient = new Map<string, number>();
  const counts: VisitCounts = { open: 0, accepted: 0, refused: 0, timedOut: 0, evicted: 0 };
  let isFull = false;

  const hasRoom = (): boolean => {
    if (visits.size <= limits.resumeAt) isFull = false;
    if (visits.size < limits.connections) return !isFull;
    isFull = !evictIdle();
    return !isFull;
  };

  const evictIdle = (): boolean => {
    let oldest: Visit | undefined;
    for (const visit of visits) if (visit.doing === 'idle' && visit.since < (oldest?.since ?? Infinity)) oldest = visit;
    if (!oldest) return false;
    counts.evicted++;
    end(oldest);
    return true;
  };

  // The system says that a connection is closed only a moment later; the place is free now.
  const end = (visit: Visit): void => {
    visits.delete(visit);
    counts.open = visits.size;
    visit.socket.destroy();
  };

  const countClient = (key: string, by: 1 | -1): void => {
    const next = (perClient.get(key) ?? 0) + by;
    if (next === 0) perClient.delete(key);
    else perClient.set(key, next);
  };

  return {
    counts,
    enter(socket, origin, now) {
      if (!hasRoom()) {
        counts.refused++;
        return undefined;
      }
      const visit: Visit = { socket, origin, doing: 'first', since: now };
      visits.add(visit);
      counts.open = visits.size;
      socket.once('close', () => end(visit));
      return visit;
    },
    isWelcome(visit, origin) {
      visit.origin = origin;
      const key = blockKey(origin.client);
      if ((perClient.get(key) ?? 0) >= limits.perClient) {
        counts.refused++;
        end(visit);
        return false;
      }
      counts.accepted++;
      countClient(key, 1);
      visit.socket.once('close', () => countClient(key, -1));
      return true;
    },
    evictIdle,
    sweep(now) {
      const isCrowded = visits.size > CROWDED * limits.connections;
      for (const visit of visits) {
        const patience = visit.doing === 'idle' && isCrowded ? limits.crowdedIdleMs : limits.patienceMs[visit.doing];
        if (now - visit.since < patience) continue;
        counts.timedOut++;
        end(visit);
      }
    },
    all: () => visits,
  };
}

/** Every host of IPv6 has a network of its own to choose addresses from. */
const blockKey = (client: Uint8Array): string =>
  client.length === 4 ? client.join('.') : client.subarray(0, 7).join(':');
